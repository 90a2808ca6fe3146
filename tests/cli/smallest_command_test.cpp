// `pothole smallest` as a process: files, limits, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "corpus/case_file.h"
#include "tests/support/plugins.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

TEST(SmallestCommand, TheCaseIsReadAndHasTheHole) {
  const TemporaryFolder folder;
  const ProcessResult result = run_shell("pothole smallest --ops 4 --out hole.json --quiet", folder.path());
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  const Case c = read_case(folder / "hole.json");
  ASSERT_TRUE(c.budgets);
  EXPECT_EQ(c.budgets->oom, 5);
  EXPECT_EQ(c.program.operators().size(), 4u);
  const ProcessResult hunt = run_shell("pothole hunt hole.json --json - --quiet", folder.path());
  EXPECT_EQ(hunt.exit_code, 1);
  EXPECT_EQ(Json::parse(hunt.output)["maps"][0]["holes"][0]["from"], 5);
}

TEST(SmallestCommand, JsonSaysWhatIsProved) {
  const ProcessResult none = run_shell("pothole smallest --policy LRU --ops 3 --json - --quiet");
  EXPECT_EQ(none.exit_code, 0) << none.errors;
  Json json = Json::parse(none.output);
  EXPECT_EQ(json["format"], "pothole-smallest/1");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["proved"]["operators_without_hole"], 3);
  EXPECT_TRUE(json["hole"].is_null());
  json = Json::parse(run_shell("pothole smallest --policy HEStar --ops 4 --json - --quiet").output);
  EXPECT_EQ(json["hole"]["operators"], 4);
  EXPECT_EQ(json["hole"]["program"]["format"], "pothole-trace/1");
  EXPECT_EQ(json["proved"]["operators_without_hole"], 3);
}

TEST(ThreadsSmallestCommand, AnyNumberOfThreadsAndInterruptionsGiveTheSame) {
  const TemporaryFolder folder;
  const std::string base = kUncut + "pothole smallest --ops 5 --sizes 3 --costs 2 --no-outputs --quiet --plugin " +
                           plugin_file("interrupts") + " ";
  const ProcessResult one = run_shell(base + "-j1 --json one.json --out one.case --checkpoint one", folder.path());
  const ProcessResult two = run_shell(base + "-j2 --json two.json --out two.case --checkpoint two", folder.path());
  ASSERT_TRUE(one.exit_code <= 1) << one.errors;
  EXPECT_EQ(two.exit_code, one.exit_code);
  EXPECT_EQ(two.output, one.output);
  EXPECT_EQ(file_content(folder / "two.json"), file_content(folder / "one.json"));
  EXPECT_EQ(file_content(folder / "two"), file_content(folder / "one"));
  EXPECT_EQ(std::filesystem::exists(folder / "one.case"), one.exit_code == 1);
  std::string from = "--checkpoint cut ";
  for (const long question : {1L, 1000L, 3000L, 3000L}) {
    const std::string cut = cut_by(SIGINT, question) + base.substr(kUncut.size()) + from;
    EXPECT_EQ(run_shell(cut, folder.path()).exit_code, 130) << question;
    from = "--resume cut ";
  }
  const ProcessResult end = run_shell(base + "--resume cut", folder.path());
  EXPECT_EQ(end.exit_code, one.exit_code);
  EXPECT_EQ(end.output, one.output);
  EXPECT_EQ(file_content(folder / "cut"), file_content(folder / "one"));
}

TEST(SmallestCommand, ATimeLimitGivesWhatIsProved) {
  const ProcessResult result = run_shell("pothole smallest --policy LRU --late-uses --time 0.001s --quiet");
  EXPECT_EQ(result.exit_code, 4) << result.output;
  EXPECT_THAT(result.output, HasSubstr("LRU: no hole so far\nProved: "));
  EXPECT_THAT(result.output, HasSubstr("tensors are used after their release, too"));
}

// What the policy would do there nobody knows: there is no proof, with a hole or without.
TEST(SmallestCommand, NothingIsProvedOfAPolicyThatMisbehaves) {
  const std::string search = "pothole smallest --ops 4 --sizes 3 --costs 2 --quiet --plugin-limit 0.2s --plugin ";
  for (const char* plugin : {"throws", "endless", "no_victim", "not_a_number"}) {
    const ProcessResult result = run_shell(search + plugin_file(plugin));
    EXPECT_EQ(result.exit_code, 5) << plugin << result.errors;
    EXPECT_THAT(result.output, HasSubstr(": no hole was met\nProved: nothing, as the policy did what no policy may"))
        << plugin;
  }
  const Json json = Json::parse(run_shell(search + plugin_file("throws") + " --json -").output);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["misbehaved"], true);
  EXPECT_TRUE(json["proved"].is_null());
}

TEST(SmallestCommand, ACrashOfAPluginSaysWhere) {
  for (const auto& [plugin, how] :
       {std::pair("crashes", "crashed (segmentation fault)"), {"exits", "ended the process"}}) {
    const ProcessResult result = run_shell("pothole smallest --ops 4 --quiet --plugin " + plugin_file(plugin));
    EXPECT_EQ(result.exit_code, 5) << plugin;
    EXPECT_THAT(result.errors, HasSubstr(std::string(how) + " in a choice of trace smallest, operator ")) << plugin;
  }
}

TEST(SmallestCommand, WhatCannotBeDoneIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& options) {
    const ProcessResult result = run_shell("pothole smallest --quiet " + options, folder.path());
    EXPECT_EQ(result.exit_code, 2) << options;
    return result.errors;
  };
  EXPECT_THAT(refused("--ops 7"), HasSubstr("1 to 6 operators"));
  EXPECT_THAT(refused("--sizes 100"), HasSubstr("with 5 operators, 1 to 10"));
  EXPECT_THAT(refused("--policy LRU --policy DTR"), HasSubstr("one policy at a time"));
  EXPECT_THAT(refused("--arguments tuples"), HasSubstr("use lists"));
  EXPECT_THAT(refused("--ops 2 --out absent/x.json"), HasSubstr("there is no folder 'absent'"));
  EXPECT_THAT(refused("--resume absent"), HasSubstr("absent"));
  EXPECT_EQ(run_shell("pothole smallest --ops 2 --checkpoint c --quiet", folder.path()).exit_code, 0);
  EXPECT_THAT(refused("--ops 2 --checkpoint c"), HasSubstr("--resume c"));
  EXPECT_THAT(refused("--ops 2 --resume c --policy LRU"), HasSubstr("begun with 'policy DTR', not 'policy LRU'"));
  EXPECT_EQ(run_shell("pothole smallest --ops 3 --resume c --quiet", folder.path()).exit_code, 0);
  put_file(folder / "c", file_content(folder / "c")
                             .replace(file_content(folder / "c").find("null"), 4,
                                      R"({"skeleton":0,"sizes":[1,1,1,1],"costs":[1,1,1,1]})"));
  EXPECT_THAT(refused("--resume c"), HasSubstr("its checksum is not that of its content"));
}

}  // namespace
}  // namespace pothole
