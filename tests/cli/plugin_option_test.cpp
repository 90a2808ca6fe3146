// --plugin as a user meets it: what is refused, what a plugin that misbehaves does to a command, and the recipe of
// CONTRIBUTING.md from an installed tree to a plugin that decides as DTR.
#include "cli/plugin_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/conformance.h"
#include "tests/support/plugins.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string kDemo = POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log";
const std::string kHunt = "pothole hunt --quiet " + kDemo + " ";
const std::string kRun = "pothole run " + kDemo + " --budget 16 ";

TEST(PluginOption, WhatIsNoPluginIsRefusedAndNothingIsTouched) {
  const TemporaryFolder folder;
  put_file(folder / "out", "before");
  put_file(folder / "text.so", "int main() {}\n");
  put_file(folder / "torn.so", file_content(plugin_file("random")).substr(0, 900));
  struct Case {
    std::string plugin, message;
  };
  const Case cases[] = {
      {"absent.so", "absent.so"},
      {".", ".: is a directory (name the shared library, such as ./libmine.so)"},
      {"text.so", "'text.so' is not a shared library"},
      {"torn.so", "'torn.so' is truncated: it ends before what its header names"},
      {"/proc/self/mem", "/proc/self/mem: cannot be read to its end"},
      {plugin_file("missing_symbol"), "has no symbol pothole_policy_plugin"},
      {plugin_file("declaration_0"), "was built for version 2 of pothole_policy.h, this is version 1"},
      {plugin_file("declaration_6"), "has neither score nor choose"},
      {plugin_file("endless_load") + " --plugin-limit 0.2s", "was not loaded in time"},
      {plugin_file("crashes_on_load"), "crashed (illegal instruction) while it was loaded"},
      {plugin_file("two_phase") + "@k=0", "'k=0'"},
      {plugin_file("random") + " --plugin-limit 5", "--plugin-limit: '5' has no unit"},
      {plugin_file("random") + " --plugin " + plugin_file("random"), "is given twice"}};
  for (const Case& c : cases) {
    const ProcessResult result = run_shell(kRun + "--json out --plugin " + c.plugin, folder.path());
    EXPECT_EQ(result.exit_code, 2) << c.plugin;
    EXPECT_THAT(result.errors, HasSubstr("pothole: error: "));
    EXPECT_THAT(result.errors, HasSubstr(c.message == "'k=0'" ? "give a whole number from 1 to 1e+06" : c.message));
    EXPECT_EQ(result.output, "") << c.plugin;
    EXPECT_EQ(file_content(folder / "out"), "before") << c.plugin;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
}

TEST(PluginOption, StandsAmongPoliciesInTheOrderGiven) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(plugin_file("two_phase"), folder / "a@k=1.so");
  const ProcessResult result =
      run_shell(kRun + "--json - --plugin 'a@k=1.so' --policy DTR --plugin 'a@k=1.so@k=1' --policy LRU", folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::istringstream lines(result.output);
  std::vector<std::string> policies;
  for (std::string line; std::getline(lines, line);) policies.push_back(json::parse(line)["policy"]);
  ASSERT_EQ(policies.size(), 4u);
  EXPECT_TRUE(policies[0].starts_with("PluginTwoPhase@k=8 (sha256 ")) << policies[0];
  EXPECT_EQ(policies[1], "DTR");
  EXPECT_TRUE(policies[2].starts_with("PluginTwoPhase@k=1 (sha256 ")) << policies[2];
  EXPECT_EQ(policies[3], "LRU");
}

TEST(PluginOption, IsListedAsItDeclaresItself) {
  const ProcessResult result = run_shell("pothole list policies --json - --plugin " + plugin_file("two_phase"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const json policy = json::parse(result.output);
  EXPECT_EQ(policy["name"], "PluginTwoPhase");
  EXPECT_EQ(policy["needs"], json({"forward", "reverse", "budget"}));
  EXPECT_EQ(policy["parameters"][0]["key"], "k");
  EXPECT_EQ(policy["source"], plugin_file("two_phase"));
  EXPECT_THAT(run_shell("pothole list policies --plugin " + plugin_file("two_phase")).output,
              HasSubstr("k (whole number, 1 to 1000000, standard 8): of the largest"));
}

// The search goes on: what the plugin is not asked about has its outcome, and DTR its hole. 5 comes before 1.
TEST(PluginOption, APolicyErrorIsReportedAndTheSearchGoesOn) {
  for (const char* name : {"not_a_number", "throws", "outside", "no_victim", "endless", "endless_questions"}) {
    // Of what returns the limit never decides.
    const std::string limit = std::string_view(name).starts_with("endless") ? "--plugin-limit 0.5s " : "";
    const ProcessResult found = run_shell(kHunt + limit + "--json - --policy DTR --plugin " + plugin_file(name) +
                                          (name == std::string("not_a_number") ? "@most=0" : ""));
    EXPECT_EQ(found.exit_code, 5) << name << found.errors;
    const json maps = json::parse(found.output)["maps"];
    EXPECT_EQ(maps[0]["holes"].size(), 1u) << name;
    EXPECT_EQ(maps[0]["policy_errors"].size(), 0u) << name;
    ASSERT_GE(maps[1]["policy_errors"].size(), 1u) << name;
    EXPECT_EQ(maps[1]["policy_errors"].back()["to"], 17) << name;
    EXPECT_TRUE(maps[1]["policy_errors"].back()["operator"].is_number()) << name;
    EXPECT_EQ(maps[1]["segments"].back()["outcome"], "ok") << name;
    EXPECT_EQ(maps[1]["unresolved"].size(), 0u) << name;
  }
  const ProcessResult run = run_shell(kRun + "--plugin " + plugin_file("throws"));
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.output, HasSubstr("threw an exception: no idea"));
}

// It begins within the time, and is not over by then; what comes after it is not run.
TEST(PluginOption, TimeEndsAHuntWhosePluginDoesNotReturn) {
  const ProcessResult result = run_shell(
      kHunt + "-j1 --method executions --time 1.5s --plugin-limit 2s --json - --plugin " + plugin_file("endless"));
  EXPECT_EQ(result.exit_code, 5) << result.errors;
  const json map = json::parse(result.output)["maps"][0];
  ASSERT_EQ(map["policy_errors"].size(), 1u) << map;
  EXPECT_EQ(map["policy_errors"][0]["why"], "did not return within 2 s");
  ASSERT_FALSE(map["unresolved"].empty());
  for (const json& interval : map["unresolved"]) EXPECT_EQ(interval["why"], "time limit");
}

TEST(PluginOption, ACrashEndsEverythingAndSaysWhere) {
  for (const auto& [name, how] :
       {std::pair("crashes", "crashed (segmentation fault)"), {"exits", "ended the process"}}) {
    const ProcessResult result = run_shell(kHunt + "--from 16 --policy LRU --plugin " + plugin_file(name));
    EXPECT_EQ(result.exit_code, 5) << name;
    EXPECT_THAT(result.errors, HasSubstr("pothole: error: plugin " + plugin_file(name) + " " + how +
                                         " in a choice of trace five-operators.log, operator 3, budget 16"));
    EXPECT_THAT(result.errors, Not(HasSubstr("checkpoint"))) << "none was asked for";
  }
  const TemporaryFolder folder;
  const ProcessResult kept =
      run_shell(kHunt + "--checkpoint c --from 16 --plugin " + plugin_file("crashes"), folder.path());
  EXPECT_THAT(kept.errors, HasSubstr("; the checkpoint keeps what was found\n"));
}

TEST(PluginOption, EveryTruncatedLibraryIsBadInput) {
  const TemporaryFolder folder;
  const std::string whole = file_content(plugin_file("random"));
  for (std::size_t part = 0; part < 16; ++part) {
    put_file(folder / "torn.so", whole.substr(0, whole.size() * part / 16 + (part == 15 ? whole.size() / 16 - 1 : 0)));
    EXPECT_EQ(run_shell(kRun + "--plugin ./torn.so", folder.path()).exit_code, 2) << part;
  }
}

// The promise that it breaks is its own: no mistake of pothole (3).
TEST(PluginOption, APluginThatRemembersIsSuspectedItself) {
  const std::string check = "pothole check " POTHOLE_SOURCE_DIR "/corpus/inclusion/DTR.json " + kDemo +
                            " --quiet --plugin " + plugin_file("remembers") + " --property ";
  const ProcessResult result = run_shell(check + "determinism,certificates,renaming --json -");
  EXPECT_EQ(result.exit_code, 5) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr("the plugin is suspected"));
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);)
    for (const json& verdict : json::parse(line)["policies"][0]["verdicts"]) EXPECT_EQ(verdict["breach"], "promise");
  const ProcessResult text = run_shell(check + "determinism");
  EXPECT_THAT(text.output, HasSubstr("promise broken"));
  EXPECT_THAT(text.output, testing::ContainsRegex("Remembers .sha256 [0-9a-f]{12}., budgets from"));
  const ProcessResult built_in = run_shell("pothole check " + kDemo + " --property determinism --json -");
  EXPECT_THAT(built_in.output, HasSubstr(R"("breach":"contract")"));
}

TEST(PluginOption, WhatAPolicyErrorLeavesOpenIsNotCertified) {
  const std::string plugin = " --json - --plugin " + plugin_file("not_a_number") + "@most=0";
  const json map = json::parse(run_shell(kHunt + plugin).output)["maps"][0];
  std::int64_t errors = 0;
  for (const json& e : map["policy_errors"]) errors += e["to"].get<std::int64_t>() - e["from"].get<std::int64_t>();
  EXPECT_GT(errors, 0);
  EXPECT_EQ(map["certified_bytes"].get<std::int64_t>() + errors, 17);
  const ProcessResult check = run_shell("pothole check --quiet " + kDemo + plugin);
  EXPECT_EQ(check.exit_code, 5) << check.errors;
  for (const json& v : json::parse(check.output)["policies"][0]["verdicts"]) {
    if (v["property"] == "peak-suffices") continue;  // is never asked
    EXPECT_EQ(v["verdict"], "unresolved") << v;
    EXPECT_EQ(v["why"], "policy error at operator 2: a score is not a number") << v;
    EXPECT_EQ(v["coverage"], "sampled") << v;
    EXPECT_LT(v["checked"].get<int>(), v["executions"].get<int>()) << v;
  }
}

TEST(PluginOption, NoComparisonModeReachesAHoleOfAPlugin) {
  const ProcessResult hunt = run_shell(kHunt + "--json - --plugin " + plugin_file("libmydtr"));
  const json holes = json::parse(hunt.output)["maps"][0]["holes"];
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_TRUE(holes[0]["rounding_artefact"].is_null());
}

TEST(PluginOption, ABatchNamesPluginsRelativeToItself) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::copy_file(plugin_file("two_phase"), folder / "sub/mine.so");
  std::filesystem::copy_file(plugin_file("throws"), folder / "sub/bad.so");
  std::filesystem::copy_file(kDemo, folder / "sub/demo.log");
  put_file(folder / "sub/points.jsonl", R"({"trace":"demo.log","plugin":"mine.so@k=2","budget":16})"
                                        "\n"
                                        R"({"trace":"demo.log","plugin":"bad.so","budget":16})"
                                        "\n");
  const ProcessResult result = run_shell("pothole run --batch sub/points.jsonl", folder.path());
  EXPECT_EQ(result.exit_code, 5) << result.errors;
  std::istringstream lines(result.output);
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_TRUE(json::parse(first)["policy"].get<std::string>().starts_with("PluginTwoPhase@k=2")) << first;
  EXPECT_EQ(json::parse(second)["policy_error"]["why"], "threw an exception: no idea") << second;
  put_file(folder / "sub/points.jsonl", R"({"trace":"demo.log","plugin":"absent.so","budget":13})");
  EXPECT_EQ(run_shell("pothole run --batch sub/points.jsonl", folder.path()).exit_code, 2);
}

TEST(PluginOption, ACheckpointIsOfOneFileOfAPlugin) {
  const TemporaryFolder folder;
  const std::string hunt = kHunt + "--policy DTR --plugin ./mine.so ";
  std::filesystem::copy_file(plugin_file("two_phase"), folder / "mine.so");
  const ProcessResult first = run_shell(hunt + "--json - --checkpoint c", folder.path());
  const ProcessResult again = run_shell(hunt + "--json - --resume c", folder.path());
  EXPECT_EQ(first.exit_code, again.exit_code) << again.errors;
  EXPECT_EQ(first.output, again.output);
  std::ofstream(folder / "mine.so", std::ios::app) << "changed";
  const ProcessResult changed = run_shell(hunt + "--resume c", folder.path());
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_THAT(changed.errors, HasSubstr("is of another file of the plugin: PluginTwoPhase@k=8 (sha256 "));
}

// The commands under a heading of CONTRIBUTING.md.
std::string commands_of(const std::string& heading) {
  const std::string text = file_content(POTHOLE_SOURCE_DIR "/CONTRIBUTING.md");
  const std::size_t section = text.find("\n## " + heading + "\n");
  const std::size_t begin = text.find("\n```sh\n", section), end = text.find("\n```\n", begin + 1);
  if (section == text.npos || begin == text.npos) return "";
  return text.substr(begin + 7, end - begin - 6);
}

TEST(PluginOption, TheRecipeMakesAPluginThatDecidesAsDtr) {
  const std::string commands = commands_of("Write a plugin");
  ASSERT_THAT(commands, HasSubstr("cmake --install"));
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "build");
  std::filesystem::create_directory_symlink(POTHOLE_BUILD_DIR, folder / "build/release");
  for (const char* name : {"corpus", "examples"})
    std::filesystem::create_directory_symlink(std::string(POTHOLE_SOURCE_DIR "/") + name, folder / name);
  const ProcessResult result = run_shell("export HOME=$PWD\nset -e\n" + commands, folder.path());
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;  // the last command finds DTR's hole, twice
  EXPECT_TRUE(std::filesystem::exists(folder / ".local/include/pothole_policy.h"));

  RunSettings settings;
  settings.policy = checked_plugin((folder / "build/plugin/libmydtr.so").string(), kPluginLimit, "test");
  std::size_t victims = 0;
  for (const RecordedLog& log : bundled_logs()) {
    const Program program = program_of(log);
    for (const RecordedRun& run : log.runs) {
      if (run.policy != "DTR") continue;
      settings.dealloc = dealloc_of(run.dealloc);
      settings.overhead_limit = overhead_limit_of(run.overhead_limit);
      const RunResult got = pothole::run(program, settings, run.budget, {.record_victims = true});
      EXPECT_EQ(difference(run, got), "") << log.id << " " << name_of(run);
      victims += got.victims.size();
    }
  }
  EXPECT_GT(victims, 200u);
}

}  // namespace
}  // namespace pothole
