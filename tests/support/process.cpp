#include "tests/support/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace pothole {

ProcessResult run_shell(const std::string& command, const std::filesystem::path& folder) {
  const TemporaryFolder scratch;
  const std::filesystem::path script = scratch.path() / "script";
  const std::filesystem::path program = POTHOLE_BINARY;
  write_whole(script, "PATH='" + program.parent_path().string() + "':$PATH\ncd '" + folder.string() + "' || exit 99\n" +
                          command + "\n");
  const std::string out = (scratch.path() / "out").string();
  const std::string err = (scratch.path() / "err").string();
  const int status = std::system(("bash '" + script.string() + "' >'" + out + "' 2>'" + err + "'").c_str());
  return {read_whole(out), read_whole(err), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "pothole-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder: " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

void write_whole(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

}  // namespace pothole
