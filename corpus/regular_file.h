// Opening files that are read to their end.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace pothole {

// An InputError if it is not there, cannot be read or is not a regular file: a named pipe would wait for
// somebody to write to it, a device may never end, and reading a directory fails late.
std::ifstream open_regular_file(const std::filesystem::path& file);

// All of it. An InputError also where reading fails on the way.
std::string read_regular_file(const std::filesystem::path& file);

}  // namespace pothole
