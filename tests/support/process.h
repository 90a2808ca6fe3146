// Runs the built program in a shell, as a user would.
#pragma once

#include <filesystem>
#include <string>

namespace pothole {

struct ProcessResult {
  std::string output;
  std::string errors;
  int exit_code = -1;
};

// `pothole` in the command is the built program. The working folder is `folder`.
ProcessResult run_shell(const std::string& command, const std::filesystem::path& folder = POTHOLE_SOURCE_DIR);

}  // namespace pothole
