#include "tests/support/process.h"

#include <sys/wait.h>

#include <cstdlib>

#include "tests/support/shared_data.h"

namespace pothole {

ProcessResult run_shell(const std::string& command, const std::filesystem::path& folder) {
  const TemporaryFolder scratch;
  const std::filesystem::path script = scratch.path() / "script";
  const std::filesystem::path program = POTHOLE_BINARY;
  put_file(script, "PATH='" + program.parent_path().string() + "':$PATH\ncd '" + folder.string() + "' || exit 99\n" +
                       command + "\n");
  const std::string out = (scratch.path() / "out").string();
  const std::string err = (scratch.path() / "err").string();
  const int status = std::system(("bash '" + script.string() + "' >'" + out + "' 2>'" + err + "'").c_str());
  return {file_content(out), file_content(err), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

}  // namespace pothole
