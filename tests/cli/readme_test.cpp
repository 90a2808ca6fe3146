// README.md tells the truth: every command in it runs, and prints what it shows.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/transcript.h"

namespace pothole {
namespace {

// The fenced blocks of one kind.
std::vector<std::string> blocks(const std::string& kind) {
  std::istringstream lines(file_content(POTHOLE_SOURCE_DIR "/README.md"));
  std::vector<std::string> found;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "```" + kind && !inside) {
      inside = true;
      found.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      found.back() += line + "\n";
    }
  }
  return found;
}

TEST(Readme, TranscriptsAreWhatTheProgramPrints) {
  const TemporaryFolder folder;
  for (const char* name : {"corpus", "tests"})
    std::filesystem::create_directory_symlink(std::string(POTHOLE_SOURCE_DIR "/") + name, folder / name);
  std::size_t steps = 0;
  for (const std::string& block : blocks("console")) {
    for (const TranscriptStep& step : parse_transcript(block)) {
      const ProcessResult result = run_shell(step.command, folder.path());
      EXPECT_EQ(result.output, step.output) << step.command << "\n" << result.errors;
      ++steps;
    }
  }
  EXPECT_GT(steps, 2u);
}

TEST(Readme, CommandsRun) {
  const std::string entry = file_content(POTHOLE_SOURCE_DIR "/ci/run.sh");
  const TemporaryFolder folder;
  std::size_t commands = 0;
  for (const std::string& block : blocks("sh")) {
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line); ++commands) {
      const std::string command = line.substr(0, line.find("  #"));
      if (command.starts_with("bash ci/run.sh ")) {
        // These build the project, and run this test: that the entry exists is all that can be asked here.
        EXPECT_NE(entry.find("\n  " + command.substr(15) + ")"), std::string::npos) << command;
      } else if (command.starts_with("pothole ")) {
        // The plugin that the commands before it make is there already.
        const ProcessResult result = run_shell("mkdir -p build; ln -sfn " POTHOLE_SOURCE_DIR
                                               "/corpus . ; ln -sfn " POTHOLE_PLUGINS " build/plugin; " +
                                                   command,
                                               folder.path());
        EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1) << command << "\n" << result.errors;
      } else {
        EXPECT_TRUE(command.starts_with("cmake ") || command.starts_with("ctest ")) << command << " is not checked";
      }
    }
  }
  EXPECT_GT(commands, 5u);
}

}  // namespace
}  // namespace pothole
