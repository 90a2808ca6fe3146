// Every transcript in this folder is what the built program prints today. With POTHOLE_UPDATE_GOLDEN
// set they are rewritten instead; look at the difference before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tests/support/process.h"
#include "tests/support/shared_data.h"
#include "tests/support/transcript.h"

namespace pothole {
namespace {

std::vector<std::filesystem::path> transcript_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(POTHOLE_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() == ".transcript") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, PrintsWhatTheTranscriptSays) {
  const auto steps = parse_transcript(file_content(GetParam()));
  ASSERT_FALSE(steps.empty());
  std::string now;
  for (const TranscriptStep& step : steps) {
    const ProcessResult result = run_shell(step.command);
    now += "$ " + step.command + "\n" + result.output + "exit " + std::to_string(result.exit_code) + "\n";
    if (std::getenv("POTHOLE_UPDATE_GOLDEN") != nullptr) continue;
    EXPECT_EQ(result.output, step.output) << step.command << "\n" << result.errors;
    EXPECT_EQ(result.exit_code, step.exit_code) << step.command;
  }
  if (std::getenv("POTHOLE_UPDATE_GOLDEN") != nullptr) put_file(GetParam(), now);
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(transcript_files()), [](const auto& file) {
  std::string name = file.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace pothole
