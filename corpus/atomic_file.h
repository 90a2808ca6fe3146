// Writing a file so that it is complete or absent, whatever happens on the way.
#pragma once

#include <filesystem>
#include <string_view>

namespace pothole {

// Writes a temporary file beside `file`, makes it durable and renames it. A failure is an InputError
// naming `file`; what was there before is untouched, and nothing else is left behind. The permissions
// of an existing file are kept, a symbolic link is followed, and something that is not a regular file
// (/dev/null, a pipe) is written in place.
void write_file(const std::filesystem::path& file, std::string_view content);

}  // namespace pothole
