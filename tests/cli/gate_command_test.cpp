// `pothole gate` as a process: red for the reasons it names, green for a change that changes nothing.
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

ProcessResult gate(const std::string& options, const TemporaryFolder& folder) {
  return run_shell("pothole gate --quiet " + options, folder.path());
}

std::string state_of(const Json& report, const std::string& rule) {
  for (const Json& r : report["rules"])
    if (r["rule"] == rule) return r["state"];
  return "";
}

TEST(ThreadsGateCommand, AnyNumberOfThreadsGivesTheSameReport) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(8));
  const std::string options = std::string("--base DTR --head TwoPhase --trace long.log --trace ") + kSeed +
                              " --corpus " POTHOLE_SOURCE_DIR "/corpus/regressions --json - -j";
  const ProcessResult one = gate(options + "1", folder), three = gate(options + "3", folder);
  EXPECT_FALSE(one.output.empty()) << one.errors;
  EXPECT_EQ(one.output, three.output);
  EXPECT_EQ(one.exit_code, three.exit_code);
}

TEST(GateCommand, ANewHoleIsRedAndToleratedWhereItIsAccepted) {
  const TemporaryFolder folder;
  const std::string change = std::string("--base LargestStorage --head DTR --property none --json - --trace ") + kSeed;
  const ProcessResult red = gate(change, folder);
  EXPECT_EQ(red.exit_code, 1) << red.errors;
  const Json report = Json::parse(red.output);
  EXPECT_EQ(report["result"], "red");
  EXPECT_EQ(state_of(report, "new-holes"), "broken");
  EXPECT_EQ(report["traces"][0]["opened"][0]["from"], 13);
  EXPECT_EQ(report["traces"][0]["opened"][0]["to"], 16);
  EXPECT_EQ(report["traces"][0]["opened"][0]["other_fails_too_bytes"], 0);
  const ProcessResult accepted =
      gate(change +
               " --accept-new-hole-bytes 3 --accept-stable-from any --accept-mean-overhead any "
               "--accept-worst-overhead any",
           folder);
  EXPECT_EQ(accepted.exit_code, 0) << accepted.output;
  EXPECT_EQ(state_of(Json::parse(gate(change + " --accept-new-hole-bytes 2", folder).output), "new-holes"), "broken");
}

TEST(GateCommand, TheSameScoreInOtherWordsHasIdenticalDecisions) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(8));
  const ProcessResult result = gate("--base DTR --head-score '(c + e) / (m * s)' --trace long.log --json -", folder);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const Json trace = Json::parse(result.output)["traces"][0];
  EXPECT_TRUE(trace["same_map"]);
  EXPECT_GT(trace["identical_executions"], 1);
}

TEST(GateCommand, ABaselineGivesWhatTheBaseGives) {
  const TemporaryFolder folder;
  put_file(folder / "a.log", file_content(kSeed));
  put_file(folder / "b.log", long_log(8));
  const std::string traces = "--trace a.log --trace b.log ";
  const ProcessResult written = gate("--base LRU --write-baseline kept " + traces, folder);
  ASSERT_EQ(written.exit_code, 0) << written.errors;
  const std::string rest = "--head DTR --property none --json - " + traces;
  Json direct = Json::parse(gate("--base LRU " + rest, folder).output);
  Json kept = Json::parse(gate("--baseline kept " + rest, folder).output);
  for (Json* report : {&direct, &kept})
    for (Json& trace : (*report)["traces"]) trace.erase("identical_executions");
  EXPECT_EQ(direct, kept);
}

TEST(GateCommand, ABaselineOfAnotherTraceIsRefusedByBothHashes) {
  const TemporaryFolder folder;
  put_file(folder / "a.log", file_content(kSeed));
  ASSERT_EQ(gate("--base LRU --write-baseline kept --trace a.log", folder).exit_code, 0);
  put_file(folder / "a.log", long_log(8));
  const ProcessResult other = gate("--baseline kept --head DTR --trace a.log", folder);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.errors, HasSubstr("5a112d3a160cd144840c4b8ec2ae68eea2be60df7a9f878373c3ea5f660dfc65"));
  EXPECT_THAT(other.errors, HasSubstr("another trace"));
  put_file(folder / "kept", file_content(folder / "kept") + "x");
  put_file(folder / "a.log", file_content(kSeed));
  EXPECT_EQ(gate("--baseline kept --head DTR --trace a.log", folder).exit_code, 2) << "an edited baseline is none";
}

TEST(GateCommand, WhatALimitLeavesOpenIsNeitherGreenNorRed) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(20));
  const ProcessResult result = gate(
      "--base DTR --head LRU --trace long.log --max-steps 150 --property none --accept-first-success any "
      "--accept-stable-from any --accept-new-hole-bytes any --accept-widened-bytes any --accept-mean-overhead any "
      "--accept-worst-overhead any",
      folder);
  EXPECT_EQ(result.exit_code, 4) << result.output;
  EXPECT_THAT(result.output, HasSubstr("could not be judged"));
}

TEST(GateCommand, OnPublicTracesTheReasonComesFirst) {
  std::string trace;
  for (const std::filesystem::path& t : public_traces())
    if (t.filename().string().starts_with("resnet32")) trace = t.string();
  if (trace.empty()) GTEST_SKIP() << absent("the ResNet-32 trace");
  const TemporaryFolder folder;
  const ProcessResult result = gate("--base DTR --head NbhdPenalty --property none --trace '" + trace + "'", folder);
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_TRUE(result.output.starts_with("red: ")) << result.output;
  EXPECT_THAT(result.output, HasSubstr("1 hole of 11328 B: [1341145604, 1341156932)"));
  EXPECT_THAT(result.output, HasSubstr("the hole [1024657200, 1069656160) of the base is closed"));
}

}  // namespace
}  // namespace pothole
