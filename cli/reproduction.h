// The command that shows again what a case claims.
#pragma once

#include <filesystem>
#include <string>

#include "corpus/case_file.h"

namespace pothole {

// For a POSIX shell, on one line.
std::string reproduction(const Case& c, const std::filesystem::path& file);

}  // namespace pothole
