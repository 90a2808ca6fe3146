// hunt as a whole: methods agree, limits are told, a killed hunt goes on where it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "corpus/checkpoint.h"
#include "tests/support/any_program.h"
#include "tests/support/long_log.h"
#include "tests/support/plugins.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

const std::string kDemo = POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log";

// Without the count of work, which is the method's own.
std::vector<Json> maps_of(const std::string& output) {
  std::vector<Json> maps = Json::parse(output).at("maps").get<std::vector<Json>>();
  for (Json& map : maps)
    for (const char* work : {"states_merged", "distinct_steps", "execution_steps"}) map.erase(work);
  return maps;
}

TEST(ThreadsHunt, MethodsFindTheSameMaps) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(6));
  for (const std::string& trace : {kDemo, (folder / "long.log").string()}) {
    const std::string hunt = "pothole hunt " + trace +
                             " --policy DTR --policy TwoPhase --policy RandomStorage --policy LRU --json - --method ";
    const ProcessResult certify = run_shell(hunt + "certify");
    ASSERT_FALSE(certify.output.empty()) << certify.errors;
    for (const char* method : {"executions", "bisect"}) {
      const ProcessResult other = run_shell(hunt + method);
      EXPECT_EQ(other.exit_code, certify.exit_code);
      EXPECT_EQ(maps_of(other.output), maps_of(certify.output)) << trace << " " << method;
    }
    EXPECT_EQ(maps_of(certify.output)[0]["coverage"], "certified");
  }
}

TEST(ThreadsHunt, ABisectionTellsOfEachHoleOnce) {
  const ProcessResult result = run_shell("pothole hunt " + kDemo + " --method bisect");
  EXPECT_EQ(result.errors,
            "pothole: hole of DTR on five-operators.log: fails from 13, completes from 16, safe budget 12\n");
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --method bisect --quiet").errors, "");
}

void expect_unresolved(const std::string& options, const std::string& why) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(options.starts_with("--time") ? 2000 : 60));
  const ProcessResult result = run_shell("pothole hunt long.log --json map.json --quiet " + options, folder.path());
  const Json map = Json::parse(file_content(folder / "map.json")).at("maps")[0];
  EXPECT_EQ(result.exit_code, map["holes"].empty() ? 4 : 1) << options << result.errors;
  ASSERT_FALSE(map["unresolved"].empty()) << options;
  std::int64_t open = 0;
  for (const Json& interval : map["unresolved"]) {
    EXPECT_EQ(interval["why"], why) << options;
    EXPECT_THAT(result.output,
                testing::AnyOf(HasSubstr(interval["from"].dump() + " to "), HasSubstr(" intervals more")));
    open += interval["to"].get<std::int64_t>() - interval["from"].get<std::int64_t>();
  }
  EXPECT_EQ(open + map["certified_bytes"].get<std::int64_t>(),
            map["range"][1].get<std::int64_t>() - map["range"][0].get<std::int64_t>());
  EXPECT_THAT(result.output, HasSubstr(": " + why + "\n"));
}

TEST(ThreadsHunt, EveryLimitLeavesItsBudgetsUnresolved) {
  expect_unresolved("--time 0.001s", "time limit");
  expect_unresolved("--max-steps 150", "step limit");
  expect_unresolved("--max-steps 150 --method executions", "step limit");
  expect_unresolved("--max-memory 1B", "memory limit");
  expect_unresolved("--runs 3 --method bisect", "run limit");
}

TEST(ThreadsHunt, AStepLimitGivesUpTheSameBudgetsWhateverTheMethod) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(12));
  for (const char* steps : {"20", "30", "60", "100"}) {
    const std::string hunt = std::string("pothole hunt long.log --json - --max-steps ") + steps + " --method ";
    const ProcessResult certify = run_shell(hunt + "certify", folder.path());
    const ProcessResult executions = run_shell(hunt + "executions", folder.path());
    EXPECT_EQ(maps_of(certify.output), maps_of(executions.output)) << steps;
  }
}

TEST(ThreadsHunt, WithoutAHoleALimitIsExit4) {
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --max-steps 5").exit_code, 4);
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --method bisect --runs 1").exit_code, 4);
}

TEST(ThreadsHunt, AGridIsLabelledAsSampled) {
  const ProcessResult text = run_shell("pothole hunt " + kDemo + " --method grid --step 0.3");
  EXPECT_THAT(text.output, HasSubstr("sampled: 3 budgets from 1 to 17 bytes"));
  EXPECT_EQ(text.output.find("certified"), std::string::npos) << text.output;
  EXPECT_EQ(text.output.find("every"), std::string::npos) << text.output;
  const ProcessResult json = run_shell("pothole hunt " + kDemo + " --method grid --step 0.3 --json -");
  const Json map = maps_of(json.output).at(0);
  EXPECT_EQ(map["coverage"], "sampled");
  for (const Json& interval : map["unresolved"]) EXPECT_EQ(interval["why"], "not sampled");
  EXPECT_EQ(json.exit_code, 0) << "budgets that a grid leaves out are no work left undone";
}

// Kills a hunt again and again and goes on from its checkpoint until it ends by itself.
class KilledHunt {
 public:
  KilledHunt(const TemporaryFolder& folder, std::string hunt) : folder_(folder), hunt_(std::move(hunt)) {}

  // How often it was killed, first with the question of that number.
  int run(double question, double growth) {
    int killed = 0;
    std::string how = " --checkpoint kept";
    for (; killed < 40; question *= growth) {
      const ProcessResult result = run_shell(cut_by(SIGKILL, static_cast<long>(question)) + "pothole hunt " + hunt_ +
                                                 how + " --checkpoint-every 0.01s --quiet --json map.json >/dev/null",
                                             folder_.path());
      if (result.exit_code != 137) {
        EXPECT_LE(result.exit_code, 1) << result.errors;
        return killed;
      }
      ++killed;
      how = std::filesystem::exists(folder_ / "kept") ? " --resume kept" : " --checkpoint kept";
    }
    ADD_FAILURE() << "it never came to its end";
    return killed;
  }

 private:
  const TemporaryFolder& folder_;
  const std::string hunt_;
};

TEST(ThreadsHunt, AKilledHuntGoesOnToTheSameMap) {
  for (const std::string method : {"certify", "executions", "bisect"}) {
    const TemporaryFolder folder;
    put_file(folder / "long.log", long_log(80));
    const std::string hunt = "long.log --policy LRU --plugin " + plugin_file("interrupts") +
                             " --policy NbhdPenalty --from-ratio 0.12 --method " + method;
    const ProcessResult whole = run_shell(kUncut + "pothole hunt --json whole.json --quiet " + hunt, folder.path());
    ASSERT_LE(whole.exit_code, 1) << whole.errors;
    const int killed = KilledHunt(folder, hunt).run(1000, 1.6);
    EXPECT_GT(killed, 0) << method;
    EXPECT_EQ(file_content(folder / "map.json"), file_content(folder / "whole.json")) << method;
  }
}

TEST(ThreadsHunt, AnyPartOfTheExecutionsIsEnoughToGoOnFrom) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(12));
  const std::string hunt = "pothole hunt long.log --json - --quiet ";
  const ProcessResult whole = run_shell(hunt + "--checkpoint whole", folder.path());
  const Checkpoint all = read_checkpoint(folder / "whole");
  ASSERT_GT(all.maps.at(0).executions.size(), 20u);
  SplitMix random(1);
  for (const std::string method : {"certify", "executions", "bisect"}) {
    for (const int percent : {5, 50, 95}) {
      Checkpoint part = all;
      std::erase_if(part.maps[0].executions, [&](const Execution&) { return !random.chance(percent); });
      put_file(folder / "part", checkpoint_text(part));
      const ProcessResult resumed = run_shell(hunt + "--resume part --method " + method, folder.path());
      EXPECT_EQ(maps_of(resumed.output), maps_of(whole.output)) << method << " from " << percent << " %";
      EXPECT_EQ(read_checkpoint(folder / "part").maps[0].executions, all.maps[0].executions);
    }
  }
}

TEST(JsonReport, WillNotReplaceWhatTheCommandReads) {
  const TemporaryFolder folder;
  const std::string log = long_log(3);
  put_file(folder / "long.log", log);
  std::filesystem::create_symlink("long.log", folder / "link.log");
  for (const char* command : {"hunt link.log --json long.log", "hunt long.log --json link.log",
                              "check long.log --json ./long.log", "run long.log --ratio 1 --json link.log",
                              "run --batch long.log --json long.log", "hunt long.log --checkpoint new --json new"}) {
    const ProcessResult result = run_shell(std::string("pothole ") + command, folder.path());
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.errors, HasSubstr("which would be lost")) << command;
    EXPECT_EQ(file_content(folder / "long.log"), log) << command;
  }
}

TEST(ThreadsHunt, AFinishedMapIsNotComputedAgain) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(10));
  const ProcessResult first = run_shell("pothole hunt long.log --json - --checkpoint kept", folder.path());
  ASSERT_LE(first.exit_code, 1);
  const std::string kept = file_content(folder / "kept");
  const ProcessResult again = run_shell("pothole hunt long.log --json - --resume kept", folder.path());
  EXPECT_EQ(again.output, first.output) << "and the work counted is that of the first";
  EXPECT_EQ(file_content(folder / "kept"), kept);
  // Whatever the method, and beside a policy that is not in it.
  const ProcessResult more = run_shell(
      "pothole hunt long.log --method executions --policy LRU --policy DTR --json - --resume kept --checkpoint more",
      folder.path());
  EXPECT_EQ(maps_of(more.output).at(1), maps_of(first.output).at(0));
  EXPECT_EQ(file_content(folder / "kept"), kept);
  EXPECT_NE(file_content(folder / "more"), kept);
}

TEST(ThreadsHunt, AForeignOrTornCheckpointIsRefused) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(4));
  ASSERT_LE(run_shell("pothole hunt long.log --seed 3 --checkpoint kept", folder.path()).exit_code, 1);
  const auto refusal = [&](const std::string& command) {
    const ProcessResult result = run_shell("pothole hunt " + command, folder.path());
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_EQ(result.output, "") << command;
    return result.errors;
  };
  EXPECT_THAT(refusal("long.log --seed 4 --resume kept"), HasSubstr("is of seed 3, not 4, for DTR on long.log"));
  EXPECT_THAT(refusal("long.log --seed 3 --dealloc ignore --resume kept"), HasSubstr("dealloc eager, not ignore"));
  EXPECT_THAT(refusal("long.log --seed 3 --overhead-limit 2 --resume kept"), HasSubstr("overhead limit 60, not 2"));
  EXPECT_THAT(refusal("long.log --seed 3 --from 5MB --to 6MB --resume kept"),
              HasSubstr("not 5000000 to 6000000 bytes"));
  EXPECT_THAT(refusal("long.log --policy LRU --resume kept"), HasSubstr("is of DTR on long.log"));
  EXPECT_THAT(refusal(kDemo + " --resume kept"), HasSubstr("not of DTR on five-operators.log"));
  EXPECT_THAT(refusal("long.log --seed 3 --checkpoint kept"), HasSubstr("exists already"));
  EXPECT_THAT(refusal("long.log --resume absent"), HasSubstr("absent: no such file"));
  // Endless, and read whole.
  EXPECT_THAT(refusal("long.log --resume /dev/zero"), HasSubstr("/dev/zero: is not a regular file"));
  EXPECT_THAT(refusal("long.log --method grid --ratios /dev/zero"), HasSubstr("/dev/zero: is not a regular file"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("/dev/zero: is not a regular file"));
  put_file(folder.path() / "empty", "");
  EXPECT_THAT(refusal("long.log --resume empty"), HasSubstr("is not a checkpoint of a hunt"));
  EXPECT_THAT(refusal("long.log --resume long.log"), HasSubstr("is not a checkpoint"));
  EXPECT_THAT(refusal("long.log --checkpoint no/such/folder"), HasSubstr("cannot be written"));
  const std::string kept = file_content(folder / "kept");
  put_file(folder / "kept", kept.substr(0, kept.size() - 10));
  EXPECT_THAT(refusal("long.log --seed 3 --resume kept"), HasSubstr("is torn or was edited"));
}

TEST(ThreadsHunt, AHuntCutOffByALimitLeavesACheckpointToGoOnFrom) {
  const TemporaryFolder folder;
  put_file(folder / "long.log", long_log(60));
  const std::string hunt = "pothole hunt long.log --from-ratio 0.2 --quiet --json map.json ";
  const ProcessResult first = run_shell(hunt + "--method bisect --runs 5 --checkpoint kept", folder.path());
  EXPECT_TRUE(first.exit_code == 4 || first.exit_code == 1) << first.errors;
  ASSERT_FALSE(Json::parse(file_content(folder / "map.json"))["maps"][0]["unresolved"].empty());
  EXPECT_LE(run_shell(hunt + "--resume kept", folder.path()).exit_code, 1);
  const std::vector<Json> resumed = maps_of(file_content(folder / "map.json"));
  EXPECT_LE(run_shell(hunt, folder.path()).exit_code, 1);
  EXPECT_EQ(maps_of(file_content(folder / "map.json")), resumed);
}

}  // namespace
}  // namespace pothole
