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

// A folder of its own for a test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string read_whole(const std::filesystem::path& file);
void write_whole(const std::filesystem::path& file, const std::string& content);

}  // namespace pothole
