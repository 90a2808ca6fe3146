// The folder that a command keeps cases in.
#pragma once

#include <filesystem>

namespace pothole {

// With the folders above it, if it is not there. Throws InputError.
void make_case_folder(const std::filesystem::path& folder);

}  // namespace pothole
