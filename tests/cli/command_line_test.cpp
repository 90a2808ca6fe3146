// The built program as a whole: exit codes, files, signals, threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/long_log.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;

const std::string kDemo = POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log";

TEST(CommandLine, AHoleIsAFindingAndItsAbsenceIsNot) {
  EXPECT_EQ(run_shell("pothole hunt " + kDemo).exit_code, 1);
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --from 16").exit_code, 0);
  EXPECT_EQ(run_shell("pothole run " + kDemo + " --budget 13").exit_code, 0);
}

TEST(CommandLine, AFileWithTheNameOfARecipeIsReadByItsPath) {
  const TemporaryFolder folder;
  put_file(folder / "gen:chain", file_content(kDemo));
  put_file(folder / "gen:x", file_content(kDemo));
  const auto peak_line = [&](const std::string& trace) {
    const std::string output = run_shell("pothole hunt " + trace, folder.path()).output;
    return output.substr(0, output.find('\n'));
  };
  for (const std::string name : {"gen:chain", "gen:x"})
    EXPECT_EQ(peak_line("./" + name), name + ": 5 operators, 5 storages, peak 17 bytes");
  EXPECT_THAT(peak_line("gen:chain --quiet"), testing::Not(HasSubstr(" 5 operators")));
  const ProcessResult recipe = run_shell("pothole hunt gen:x", folder.path());
  EXPECT_EQ(recipe.exit_code, 2);
  EXPECT_THAT(recipe.errors, HasSubstr("there is no generator 'x'"));
}

TEST(CommandLine, BadInputLeavesFilesUntouched) {
  const TemporaryFolder folder;
  put_file(folder.path() / "out", "before");
  put_file(folder.path() / "bad.log", "{\"INSTRUCTION\":\n");
  const std::vector<std::string> commands = {
      "pothole hunt " + kDemo + " bad.log --json out", "pothole hunt absent --json out",
      "pothole run " + kDemo + " --budget 0 --json out", "pothole run --batch absent.jsonl --json out",
      "pothole hunt " + kDemo + " --policy NoSuch --json out"};
  for (const std::string& command : commands) {
    const ProcessResult result = run_shell(command, folder.path());
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.errors, HasSubstr("pothole: error: ")) << command;
    EXPECT_EQ(file_content(folder.path() / "out"), "before") << command;
    EXPECT_EQ(result.output, "") << command;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST(CommandLine, AReadErrorOfAnyInputFileIsBadInput) {
  for (const char* command : {"hunt /proc/self/mem", "run --batch /proc/self/mem", "hunt $DEMO --resume /proc/self/mem",
                              "hunt $DEMO --plugin /proc/self/mem", "check /proc/self/mem",
                              "hunt $DEMO --method grid --ratios /proc/self/mem"}) {
    const ProcessResult result = run_shell("DEMO=" + kDemo + "; pothole " + command);
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.errors, HasSubstr("/proc/self/mem: cannot be read to its end")) << command;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }
}

TEST(CommandLine, EmptyValuesAreRefused) {
  for (const char* option :
       {"--resume", "--checkpoint", "--json", "--ratios", "--plugin", "--time", "--from", "--max-memory", "--policy"}) {
    const ProcessResult result = run_shell("pothole hunt " + kDemo + " " + option + " ''");
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.errors, HasSubstr(std::string(option) + ": its value is empty")) << option;
  }
  for (const char* command : {"hunt ''", "check ''", "run --batch ''", "run '' --budget 3"})
    EXPECT_EQ(run_shell(std::string("pothole ") + command).exit_code, 2) << command;
}

TEST(CommandLine, AFileThatMayNotGrowIsAnOrdinaryError) {
  const TemporaryFolder folder;
  for (const char* option : {"--json out", "--checkpoint out"}) {
    const ProcessResult result = run_shell(
        "{ (ulimit -f 0; exec pothole hunt " + kDemo + " --quiet " + option + ") 2>&1; echo \"exit $?\"; } | cat",
        folder.path());
    EXPECT_THAT(result.output, HasSubstr("out: cannot be written: File too large\n")) << option;
    EXPECT_THAT(result.output, HasSubstr("exit 2\n")) << option;
  }
}

TEST(CommandLine, TheSeedIsSaidOfPoliciesThatDraw) {
  const std::string run = "pothole run " + kDemo + " --budget 12 --seed 7 --policy RandomStorage --policy DTR";
  const std::string json = run_shell(run + " --json -").output, text = run_shell(run).output;
  EXPECT_THAT(json.substr(0, json.find('\n')), HasSubstr(R"("comparison":"reference","seed":7,"outcome")"));
  EXPECT_EQ(json.find("\"seed\"", json.find('\n')), json.npos);
  EXPECT_THAT(text, HasSubstr("RandomStorage, dealloc eager, overhead limit 60, seed 7\n"));
}

TEST(CommandLine, ACertificateIsWordedWithBothEnds) {
  const auto certificate = [](const char* budget) {
    const std::string text = run_shell("pothole run " + kDemo + " --budget " + budget).output;
    const std::size_t at = text.find("certificate");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(certificate("5"), "certificate  the same execution at every budget from 0 to 5 bytes, both included");
  EXPECT_EQ(certificate("12"), "certificate  the same execution at no budget but 12 bytes");
  EXPECT_EQ(certificate("99"), "certificate  the same execution at every budget from 17 bytes up");
}

TEST(CommandLine, SettingsThatAreNotStandardAreShown) {
  const std::string options = " --dealloc ignore --overhead-limit 1 --comparison exact";
  const std::string settings = ", dealloc ignore, overhead limit 1, comparison exact\n";
  const std::string hunt = run_shell("pothole hunt " + kDemo + options).output;
  EXPECT_THAT(hunt, HasSubstr("every budget from 1 to 17 bytes" + settings));
  EXPECT_THAT(hunt, HasSubstr("thrashed: given up above 1 times the model's compute (--overhead-limit)"));
  EXPECT_THAT(run_shell("pothole check " + kDemo + options).output, HasSubstr("from 1 to 17 bytes" + settings));
  EXPECT_THAT(run_shell("pothole hunt " + kDemo + " --seed 3 --policy LRU --policy RandomStorage").output,
              HasSubstr("17 bytes, seed 3\n"));
}

TEST(CommandLine, PoliciesAndScoresKeepTheirOrder) {
  const ProcessResult result = run_shell(
      "pothole run " + kDemo + " --score c/m --policy LRU --score='mine = c' --policy=DTR --budget 17 --json -");
  std::vector<std::string> policies;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) policies.push_back(nlohmann::json::parse(line)["policy"]);
  EXPECT_EQ(policies, (std::vector<std::string>{"c/m", "LRU", "mine=c", "DTR"}));
}

TEST(CommandLine, ScoresThatAreEqualOrWrongAreRefused) {
  EXPECT_THAT(run_shell("pothole run " + kDemo + " --score c --score c --budget 17").errors,
              HasSubstr("c is given twice"));
  const ProcessResult wrong = run_shell("pothole hunt " + kDemo + " --score 'c / mm'");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.errors.substr(0, wrong.errors.find("variables:")),
            "pothole: error: --score: unknown variable 'mm'\n    c / mm\n        ^~\n     (");
  EXPECT_EQ(run_shell("pothole run --batch x --score c").exit_code, 2);
  const ProcessResult named = run_shell("pothole hunt " + kDemo + " --score mine=c --score mine=m");
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.errors, HasSubstr("the name 'mine' is given twice (give each score a name of its own)"));
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --score DTR=m").exit_code, 2);
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --score 'm^1000000000'").exit_code, 2);
  const std::string letters(120'000, 'n');
  for (const std::string& text : {letters + "=m", letters, "c + " + letters}) {
    const ProcessResult refused = run_shell("pothole hunt " + kDemo + " --score '" + text + "'");
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_LT(refused.errors.size(), 400u);
  }
  EXPECT_THAT(run_shell("pothole run " + kDemo + " --budget 17 --comparison wide").errors,
              HasSubstr("unknown comparison mode 'wide' (use reference, exact or naive)"));
}

TEST(CommandLine, AScoreOfSeveralLinesIsShownInOne) {
  const std::string run = "pothole run " + kDemo + " --budget 17 --score ";
  EXPECT_EQ(run_shell(run + "'\n c\n  /\t m\n'").output, run_shell(run + "'c / m'").output);
}

TEST(CommandLine, AMisbehavingPolicyHasAnExitCodeOfItsOwn) {
  const std::string bad = " --score 'log(0 - 1 - m)'";
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + bad).exit_code, 5);
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + bad + " --policy DTR").exit_code, 5);  // and a hole
  EXPECT_EQ(run_shell("pothole run " + kDemo + bad + " --budget 13").exit_code, 5);
  EXPECT_EQ(run_shell("pothole run " + kDemo + bad + " --budget 17").exit_code, 0);  // never asked
  const TemporaryFolder folder;
  const std::string head = "{\"trace\":\"" + kDemo + "\",\"budget\":13,";
  put_file(folder.path() / "points.jsonl", head + "\"score\":\"log(0 - 1 - m)\"}\n" + head + "\"policy\":\"DTR\"}\n");
  const ProcessResult batch = run_shell("pothole run --batch points.jsonl", folder.path());
  EXPECT_EQ(batch.exit_code, 5);
  EXPECT_THAT(batch.output, HasSubstr(R"("outcome":"policy error")"));
  EXPECT_THAT(batch.output, HasSubstr(R"("policy_error":{"operator":2,"why":"a score is not a number"})"));
  EXPECT_THAT(batch.output, HasSubstr(R"("outcome":"oom")"));
}

TEST(CommandLine, ACheckpointIsOfOneScoreAndOneComparison) {
  const TemporaryFolder folder;
  const std::string hunt = "pothole hunt " + kDemo + " --score mine=c/m --json - ";
  const ProcessResult first = run_shell(hunt + "--checkpoint kept", folder.path());
  EXPECT_EQ(run_shell(hunt + "--resume kept", folder.path()).output, first.output);
  EXPECT_THAT(run_shell(hunt + "--resume kept --comparison exact", folder.path()).errors,
              HasSubstr("is of comparison reference, not exact"));
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --score mine=c --resume kept", folder.path()).exit_code, 2);
}

TEST(CommandLine, AReportFileHoldsWhatStandardOutputWould) {
  const TemporaryFolder folder;
  const ProcessResult file = run_shell("pothole hunt " + kDemo + " --json map.json", folder.path());
  const ProcessResult standard = run_shell("pothole hunt " + kDemo + " --json -");
  EXPECT_EQ(file_content(folder.path() / "map.json"), standard.output);
  EXPECT_THAT(file.output, HasSubstr("safe budget"));
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --json no/such/map.json", folder.path()).exit_code, 2);
  EXPECT_EQ(run_shell("pothole hunt " + kDemo + " --json .", folder.path()).exit_code, 2);
}

TEST(CommandLine, FailedWritesAreNoticed) {
  for (const char* command : {"hunt ", "hunt --json - ", "run --budget 17 ", "run --budget 17 --json - "}) {
    const ProcessResult full = run_shell("pothole " + std::string(command) + kDemo + " >/dev/full");
    EXPECT_EQ(full.exit_code, 2) << command;
    EXPECT_THAT(full.errors, HasSubstr("standard output: cannot write")) << command;
  }
  EXPECT_EQ(run_shell("pothole --help >/dev/full").exit_code, 2);
  EXPECT_EQ(run_shell("pothole list policies >/dev/full").exit_code, 2);
  EXPECT_EQ(run_shell("pothole hunt --json /dev/full " + kDemo).exit_code, 2);
  // The reader is gone before the first byte is written.
  const TemporaryFolder folder;
  const ProcessResult closed =
      run_shell("mkfifo pipe; true <pipe & exec 3>pipe; wait; pothole list policies >&3", folder.path());
  EXPECT_EQ(closed.exit_code, 2);
  EXPECT_THAT(closed.errors, HasSubstr("Broken pipe"));
}

TEST(CommandLine, StandardInputIsATrace) {
  EXPECT_EQ(run_shell("pothole hunt - --json - <" + kDemo).exit_code, 1);
  EXPECT_EQ(run_shell("pothole hunt - </dev/null").exit_code, 2);
}

TEST(CommandLine, PoliciesAreListedWithAllTheirFields) {
  const ProcessResult result = run_shell("pothole list policies --json -");
  const std::string text = run_shell("pothole list policies").output;
  ASSERT_EQ(result.exit_code, 0);
  std::istringstream lines(result.output);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto policy = nlohmann::json::parse(line);
    for (const char* key : {"name", "sentence", "formula", "source"}) {
      EXPECT_FALSE(policy.at(key).get<std::string>().empty()) << line;
    }
    EXPECT_TRUE(policy.at("needs").is_array() && policy.at("parameters").is_array()) << line;
    EXPECT_THAT(text, HasSubstr(policy["name"].get<std::string>()));
  }
  EXPECT_GT(count, 20u);
}

TEST(ThreadsCommandLine, AnyNumberOfThreadsGivesTheSameBytes) {
  const TemporaryFolder folder;
  put_file(folder.path() / "long.log", long_log(12));
  const std::string hunt =
      "pothole hunt long.log " + kDemo + " --policy DTR --policy RandomStorage --seed 7 --json - -j ";
  const ProcessResult one = run_shell(hunt + "1", folder.path());
  const ProcessResult two = run_shell(hunt + "2", folder.path());
  EXPECT_EQ(one.errors, "");
  EXPECT_FALSE(one.output.empty());
  EXPECT_EQ(one.output, two.output);
  std::string batch;
  for (int i = 0; i < 300; ++i) {
    batch += R"({"trace":")" +
             std::string(i % 3 == 0   ? "long.log"
                         : i % 3 == 1 ? kDemo
                                      : "absent.log") +
             R"(","policy":"DTR","ratio":)" + std::to_string(0.1 + i * 0.003) + "}\n";
  }
  put_file(folder.path() / "points.jsonl", batch);
  const ProcessResult batch_one = run_shell("pothole run --batch points.jsonl -j 1 --victims", folder.path());
  const ProcessResult batch_two = run_shell("pothole run --batch points.jsonl -j 2 --victims --json -", folder.path());
  EXPECT_EQ(batch_one.exit_code, 2);
  EXPECT_EQ(batch_one.output, batch_two.output);
  EXPECT_EQ(std::count(batch_one.output.begin(), batch_one.output.end(), '\n'), 300);
}

TEST(ThreadsCommandLine, CtrlCPrintsWhatIsCertified) {
  const TemporaryFolder folder;
  put_file(folder.path() / "long.log", long_log(2000));
  // Interrupted once progress says that something is certified.
  const ProcessResult text = run_shell(
      "pothole hunt long.log --json map.json -j 2 2>progress & pid=$!\n"
      "for i in $(seq 600); do grep -q ' [1-9][0-9]* executions' progress && break; sleep 0.1; done\n"
      "kill -INT $pid; wait $pid; code=$?; cat progress >&2; exit $code",
      folder.path());
  EXPECT_EQ(text.exit_code, 130) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("of budgets unresolved"));
  EXPECT_THAT(text.errors, HasSubstr("interrupted"));
  const auto map = nlohmann::json::parse(file_content(folder.path() / "map.json"))["maps"][0];
  EXPECT_GT(map["executions"], 0);
  ASSERT_FALSE(map["unresolved"].empty());
  std::int64_t open = 0;
  for (const auto& interval : map["unresolved"]) {
    EXPECT_EQ(interval["why"], "interrupted");
    open += interval["to"].get<std::int64_t>() - interval["from"].get<std::int64_t>();
  }
  const std::int64_t range = map["range"][1].get<std::int64_t>() - map["range"][0].get<std::int64_t>();
  EXPECT_EQ(open + map["certified_bytes"].get<std::int64_t>(), range);
}

TEST(ThreadsCommandLine, CtrlCEndsABatchAfterWholeLines) {
  const TemporaryFolder folder;
  put_file(folder.path() / "long.log", long_log(400));
  std::string batch;
  for (int i = 0; i < 20000; ++i)
    batch += R"({"trace":"long.log","policy":"DTR","ratio":0.1})"
             "\n";
  put_file(folder.path() / "points.jsonl", batch);
  const ProcessResult result = run_shell(
      "pothole run --batch points.jsonl --quiet >out & pid=$!\n"
      "for i in $(seq 600); do [ -s out ] && break; sleep 0.1; done\n"
      "kill -TERM $pid; wait $pid; code=$?; cat out; exit $code",
      folder.path());
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.errors, testing::MatchesRegex("pothole: interrupted after [0-9]+ lines\n"));
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(nlohmann::json::accept(line));
}

}  // namespace
}  // namespace pothole
