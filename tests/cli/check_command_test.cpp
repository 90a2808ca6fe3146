// check as a whole: large traces are sampled and say so, limits are told, threads change nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "properties/property.h"
#include "tests/support/long_log.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Json> verdicts_of(const std::string& output) {
  return Json::parse(output).at("policies").at(0).at("verdicts").get<std::vector<Json>>();
}

TEST(ThreadsCheck, ALargeTraceIsSampledAndSaysSo) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(12));
  const ProcessResult json = run_shell("pothole check long.log --sample 5 --json -", folder.path());
  EXPECT_LE(json.exit_code, 1) << json.errors;
  const std::vector<Json> verdicts = verdicts_of(json.output);
  ASSERT_EQ(verdicts.size(), properties().size());
  std::size_t sampled = 0;
  for (const Json& v : verdicts) {
    EXPECT_NE(v["verdict"], "unresolved") << v;
    EXPECT_EQ(v["violation"].is_null(), v["verdict"] != "violated") << v;
    EXPECT_TRUE(v["breach"] == "finding" || v["verdict"] == "holds") << v;
    if (v["coverage"] != "sampled") continue;
    ++sampled;
    EXPECT_LT(v["checked"].get<int>(), v["executions"].get<int>()) << v;
  }
  // Of the map everything is known, and at the peak there is one execution.
  EXPECT_EQ(sampled, verdicts.size() - 3);
  const ProcessResult text = run_shell("pothole check long.log --sample 5", folder.path());
  EXPECT_THAT(text.output, testing::HasSubstr("holds (sampled)"));
}

TEST(ThreadsCheck, ThreadsChangeNothing) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(8));
  const std::string check =
      "pothole check long.log " POTHOLE_SOURCE_DIR
      "/corpus/seeds/five-operators.log --policy DTR --policy TwoPhase --policy RandomStorage --json - -j ";
  const ProcessResult one = run_shell(check + "1", folder.path());
  EXPECT_FALSE(one.output.empty()) << one.errors;
  for (const char* threads : {"2", "5"}) EXPECT_EQ(run_shell(check + threads, folder.path()).output, one.output);
}

TEST(ThreadsCheck, ATimeLimitLeavesVerdictsOpen) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(2000));
  const ProcessResult result =
      run_shell("pothole check long.log --property resident,no-hole --quiet --time 0.001s --json -", folder.path());
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  for (const Json& v : verdicts_of(result.output)) {
    EXPECT_EQ(v["verdict"], "unresolved");
    EXPECT_EQ(v["why"], "time limit");
  }
}

TEST(ThreadsCheck, AnInterruptionPrintsWhatThereIs) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(2000));
  const ProcessResult result =
      run_shell("pothole check long.log --property no-hole --json - --quiet --plugin " POTHOLE_PLUGINS "/interrupts.so",
                folder.path());
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_EQ(verdicts_of(result.output).at(0)["why"], "interrupted");
}

}  // namespace
}  // namespace pothole
