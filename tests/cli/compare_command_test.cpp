// `pothole compare` as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/long_log.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

constexpr const char* kSeed = POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log";

TEST(ThreadsCompareCommand, AnyNumberOfThreadsGivesTheSameReport) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(20));
  const std::string command = std::string("pothole compare long.log ") + kSeed +
                              " --policy DTR --policy LRU --policy TwoPhase --quiet --json - -j";
  const ProcessResult one = run_shell(command + "1", folder.path()), three = run_shell(command + "3", folder.path());
  EXPECT_EQ(one.exit_code, 0) << one.errors;
  EXPECT_EQ(one.output, three.output);
}

// The numbers of two maps, put together here from single runs.
TEST(CompareCommand, SaysWhatSingleRunsSay) {
  const TemporaryFolder folder;
  const ProcessResult result =
      run_shell(std::string("pothole compare --policy DTR --policy LargestStorage --quiet --json - ") + kSeed);
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json policies = Json::parse(result.output.substr(0, result.output.find('\n')))["policies"];
  int both = 0, only_first = 0, only_second = 0;
  for (int budget = 1; budget <= 17; ++budget) {
    const auto completes = [&](const std::string& policy) {
      const ProcessResult run =
          run_shell("pothole run --json - --budget " + std::to_string(budget) + " --policy " + policy + " " + kSeed);
      return Json::parse(run.output)["outcome"] == "ok";
    };
    const bool first = completes("DTR"), second = completes("LargestStorage");
    both += first && second;
    only_first += first && !second;
    only_second += !first && second;
  }
  EXPECT_EQ(policies[1]["both_complete_bytes"], both);
  EXPECT_EQ(policies[1]["only_first_completes_bytes"], only_first);
  EXPECT_EQ(policies[1]["only_this_completes_bytes"], only_second);
  EXPECT_GT(only_first + only_second, 0);
}

TEST(CompareCommand, WhatALimitLeavesOpenIsSaidSo) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(20));
  const ProcessResult result =
      run_shell("pothole compare long.log --policy DTR --policy LRU --quiet --max-steps 150", folder.path());
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("some budgets unresolved"));
}

TEST(CompareCommand, ANameThatIsMarkupStaysAName) {
  const TemporaryFolder folder;
  put_file(folder / "a|b<c>.log", file_content(kSeed));
  const ProcessResult result =
      run_shell("pothole compare 'a|b<c>.log' --policy DTR --score '*x*|y=c' --quiet --markdown t.md", folder.path());
  EXPECT_EQ(result.exit_code, 2) << "such a name of a score is refused";
  const ProcessResult named =
      run_shell("pothole compare 'a|b<c>.log' --policy DTR --policy LRU --quiet --markdown t.md", folder.path());
  ASSERT_EQ(named.exit_code, 0) << named.errors;
  const std::string markdown = file_content(folder / "t.md");
  EXPECT_THAT(markdown, HasSubstr("## a\\|b\\<c\\>.log"));
}

TEST(CompareCommand, OneFileForTwoThingsIsRefused) {
  const TemporaryFolder folder;
  put_file(folder / "t.log", file_content(kSeed));
  for (const char* options : {"--json x --markdown x", "--json t.log", "--markdown t.log", "--json - --markdown -"}) {
    const ProcessResult result =
        run_shell(std::string("pothole compare t.log --policy DTR --policy LRU --quiet ") + options, folder.path());
    EXPECT_EQ(result.exit_code, 2) << options;
    EXPECT_EQ(result.output, "") << options;
  }
  EXPECT_EQ(file_content(folder / "t.log"), file_content(kSeed));
}

}  // namespace
}  // namespace pothole
