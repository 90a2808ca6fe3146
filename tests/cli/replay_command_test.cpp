// `pothole replay` as a process: the committed cases are what they were, each verdict comes about, and what is blessed
// is the record from then on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "cli/junit_report.h"
#include "cli/replay_report.h"
#include "corpus/case_file.h"
#include "corpus/case_verdict.h"
#include "tests/support/plugins.h"
#include "tests/support/process.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

const std::filesystem::path kRegressions = POTHOLE_SOURCE_DIR "/corpus/regressions";

std::vector<std::filesystem::path> committed_cases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kRegressions))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Of five operators, with the hole [13, 16).
Case five_operators() {
  for (const auto& file : committed_cases())
    if (Case c = read_case(file); c.provenance.origin == "corpus/seeds/five-operators.log") return c;
  ADD_FAILURE() << "the case of corpus/seeds/five-operators.log is not there";
  return {};
}

std::string changed(const Case& c, const std::string& from, const std::string& to) {
  std::string text = case_text(c);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST(ThreadsReplay, TheCommittedCasesAreWhatTheyWere) {
  const std::size_t count = committed_cases().size();
  ASSERT_GE(count, 9u);
  const ProcessResult result = run_shell("pothole replay --quiet");
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.output, HasSubstr(std::to_string(count) + " cases: " + std::to_string(count) + " same"));
}

TEST(Replay, TheCommittedCasesAreCanonicalAndNamedByTheirQuestion) {
  for (const auto& file : committed_cases()) {
    const Case c = read_case(file);
    EXPECT_EQ(file.filename().string(), case_file_name(c));
    EXPECT_EQ(file_content(file), case_text(c)) << file;
  }
}

TEST(CaseSchema, HoldsOfTheCommittedCases) {
  const ProcessResult result = run_shell("python3 ci/check_cases.py corpus/regressions");
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_EQ(result.output, std::to_string(committed_cases().size()) + " cases checked\n");
}

TEST(CaseSchema, HoldsOfWhatIsWrittenAndNotOfWhatIsRefused) {
  const TemporaryFolder folder;
  run_shell(
      "pothole fuzz --property all --policy DTR --policy RandomStorage --score mine='c / m' --dealloc ignore "
      "--cases 60 --seed 3 --keep 9 --quiet --out found; rm found/campaign.json",
      folder.path());
  Case c = five_operators();
  CaseAnswer closed;
  closed.title = "none";
  closed.kind = kClosed;
  change_answer(c, closed, "fixed", "2");
  put_file(folder / "found/closed.json", case_text(c));
  const std::string check = "python3 " POTHOLE_SOURCE_DIR "/ci/check_cases.py ";
  const ProcessResult good = run_shell(check + "found", folder.path());
  EXPECT_EQ(good.exit_code, 0) << good.output << good.errors;
  EXPECT_THAT(good.output, testing::Not(HasSubstr("\n0 cases")));
  const Case five = five_operators();
  std::filesystem::create_directory(folder / "wrong");
  int wrong = 0;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"case/1", "case/2"},
           {"\"title\"", "\"titel\""},
           {"\"ok\":12,", ""},
           {"\"ok\":12", "\"ok\":-12"},
           {"\"ok\":12", "\"ok\":12.5"},
           {"\"seed\":0", "\"seed\":\"0\""},
           {"\"oom\"]", "\"oops\"]"},
           {"\"range\":[1,18]", "\"range\":[1]"},
           {"\"kind\":\"hole\"", "\"kind\":\"closed\""},
           {"\"cost\":4,", ""},
           {"\"policy\":\"DTR\"", "\"policy_kind\":\"rule\",\"policy\":\"DTR\""}}) {
    const std::filesystem::path file = folder / ("wrong/" + std::to_string(wrong++) + ".json");
    put_file(file, changed(five, from, to));
    EXPECT_THROW(read_case(file), std::runtime_error) << from << " " << to;
  }
  const ProcessResult bad = run_shell(check + "wrong", folder.path());
  EXPECT_EQ(bad.exit_code, 1);
  for (int i = 0; i < wrong; ++i)
    EXPECT_THAT(bad.output, HasSubstr("wrong/" + std::to_string(i) + ".json: "))
        << file_content(folder / ("wrong/" + std::to_string(i) + ".json"));
}

struct Expectation {
  std::string name, text, verdict, why;
};

// One file for each verdict.
std::vector<Expectation> one_of_each() {
  const Case five = five_operators();
  Case lru = five, plain = five, guard = five, no_policy = five;
  lru.policy = "LRU";
  lru.title = "moved or closed";
  plain.policy = "LargestStorage";
  static_cast<CaseAnswer&>(guard) = {};
  guard.title = "a guard";
  guard.kind = kClosed;
  no_policy.policy = "DTRR";
  return {{"a-same", case_text(five), "same", ""},
          {"b-closed", case_text(plain), "closed", "no hole is left"},
          {"c-moved", changed(five, "[11,13,\"ok\"],[13,16,\"oom\"]", "[11,13,\"ok\"],[13,15,\"oom\"],[15,16,\"ok\"]"),
           "moved", "at 15 ok is recorded, oom found; hole [13, 15) is recorded, hole [13, 16) found"},
          {"d-new", case_text(guard), "new hole", "closed is recorded; now: completes with 12"},
          {"e-no-policy", case_text(no_policy), "invalid", "did you mean DTR"},
          {"f-torn", case_text(five).substr(0, 200), "invalid", "f-torn.json:"},
          {"g-no-claim", changed(five, "\"budgets\":{\"ok\":12,\"oom\":13,\"ok_above\":16},\n", ""), "invalid",
           "names no \"budgets\""},
          {"h-no-property", changed(five, "no-hole", "no-pole"), "invalid", "no property 'no-pole'"},
          {"i-plugin", changed(five, "\"policy\":\"DTR\"", "\"policy\":\"X (sha256 00)\",\"policy_kind\":\"plugin\""),
           "invalid", "give its file by --plugin"}};
}

TEST(ThreadsReplay, EachVerdictComesAboutForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "cases");
  const std::vector<Expectation> expected = one_of_each();
  for (const Expectation& e : expected) put_file(folder / ("cases/" + e.name + ".json"), e.text);
  std::string first;
  for (const char* threads : {"1", "2", "5"}) {
    const ProcessResult result =
        run_shell(std::string("pothole replay cases --policy LRU --quiet --json - --junit junit.xml -j ") + threads,
                  folder.path());
    EXPECT_EQ(result.exit_code, 1) << result.errors;
    const std::string all = result.output + file_content(folder / "junit.xml");
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << threads;
  }
  const ProcessResult json = run_shell("pothole replay cases --quiet --json -", folder.path());
  const std::vector<Json> lines = json_lines(json.output);
  ASSERT_EQ(lines.size(), expected.size() + 1) << json.errors;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(lines[i].at("verdict"), expected[i].verdict) << lines[i];
    EXPECT_EQ(lines[i].at("file"), "cases/" + expected[i].name + ".json");
    if (!expected[i].why.empty()) {
      EXPECT_THAT(lines[i].at("why").get<std::string>(), HasSubstr(expected[i].why));
    }
  }
  EXPECT_EQ(lines.back().at("verdicts").at("invalid"), 5);
}

TEST(Replay, WhatIsBlessedIsTheRecordFromThenOn) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "cases");
  for (const Expectation& e : one_of_each())
    if (e.verdict != "invalid") put_file(folder / ("cases/" + e.name + ".json"), e.text);
  const ProcessResult bless =
      run_shell("pothole replay cases --bless --reason 'the rule is new' --quiet", folder.path());
  EXPECT_EQ(bless.exit_code, 0) << bless.output << bless.errors;
  const ProcessResult again = run_shell("pothole replay cases --quiet", folder.path());
  EXPECT_EQ(again.exit_code, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("4 cases: 4 same"));
  const Case closed = read_case(folder / "cases/b-closed.json");
  EXPECT_TRUE(closed.is_closed());
  ASSERT_EQ(closed.history.size(), 1u);
  EXPECT_EQ(closed.history[0].reason, "the rule is new");
  EXPECT_EQ(closed.history[0].was, static_cast<const CaseAnswer&>(five_operators()));
  EXPECT_EQ(case_file_name(read_case(folder / "cases/c-moved.json")), case_file_name(five_operators()));
  EXPECT_TRUE(read_case(folder / "cases/a-same.json").history.empty());
  EXPECT_EQ(file_content(folder / "cases/a-same.json"), case_text(five_operators()));
}

TEST(Replay, OtherPropertiesAreCheckedAgain) {
  const TemporaryFolder folder;
  run_shell(
      "pothole fuzz --property inclusion,no-cost-inversion --generator random?operators=8 --cases 60 --seed 2 "
      "--quiet --out found",
      folder.path());
  const ProcessResult same = run_shell("pothole replay found --quiet", folder.path());
  EXPECT_EQ(same.exit_code, 0) << same.output << same.errors;
  const ProcessResult other = run_shell(
      "sed -i 's/\"evidence\":\\[/\"evidence\":[1,/' found/*.json; pothole replay found --quiet", folder.path());
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.output, HasSubstr("moved"));
  EXPECT_THAT(other.output, HasSubstr("pothole check --property"));
}

TEST(Replay, APluginThatRemembersIsNondeterministic) {
  const TemporaryFolder folder;
  const std::string plugin = " --plugin " + plugin_file("remembers");
  const std::string list =
      run_shell("pothole hunt " POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log --json -" + plugin).output;
  Case c = five_operators();
  c.policy = Json::parse(list).at("maps")[0].at("policy").get<std::string>();
  c.policy_kind = "plugin";
  put_file(folder / "case.json", case_text(c));
  const ProcessResult result = run_shell("pothole replay case.json --quiet" + plugin, folder.path());
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("nondeterministic"));
}

TEST(Replay, OtherPoliciesAreATable) {
  const ProcessResult result =
      run_shell("pothole replay --quiet --policy LargestStorage --policy LRU --score mine='(c + e) / m'");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("LargestStorage"));
  EXPECT_THAT(result.output, HasSubstr("cases with a hole"));
}

TEST(Replay, LimitsAndInterruptionsReportWhatWasNotRun) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "cases");
  for (int i = 0; i < 3000; ++i)
    put_file(folder / ("cases/" + std::to_string(i) + ".json"), case_text(five_operators()));
  const ProcessResult cut = run_shell("pothole replay cases --quiet --time 0.001s -j1", folder.path());
  EXPECT_EQ(cut.exit_code, 4) << cut.errors;
  EXPECT_THAT(cut.output, HasSubstr("not run: time limit"));
  EXPECT_THAT(cut.output, HasSubstr("3000 cases: "));
  const ProcessResult stopped =
      run_shell("pothole replay cases --quiet -j1 --plugin " POTHOLE_PLUGINS "/interrupts.so", folder.path());
  EXPECT_EQ(stopped.exit_code, 130) << stopped.errors;
  EXPECT_THAT(stopped.output, HasSubstr("not run: interrupted"));
  EXPECT_THAT(stopped.output, HasSubstr("3000 cases: "));
  const ProcessResult steps = run_shell("pothole replay cases/1.json --max-steps 2 --quiet", folder.path());
  EXPECT_EQ(steps.exit_code, 4) << steps.output;
  EXPECT_THAT(steps.output, HasSubstr("no outcome found: step limit"));
}

TEST(Replay, ClearErrors) {
  const TemporaryFolder folder;
  put_file(folder / "case.json", case_text(five_operators()));
  std::filesystem::create_directory(folder / "empty");
  const auto refused = [&](const std::string& options, const std::string& what) {
    const ProcessResult result = run_shell("pothole replay " + options, folder.path());
    EXPECT_EQ(result.exit_code, 2) << options;
    EXPECT_THAT(result.errors, HasSubstr(what)) << options;
    EXPECT_EQ(result.output, "") << options;
  };
  refused("", "there is no folder corpus/regressions here");
  refused("nowhere", "there is no such file or folder");
  refused("empty", "holds no case");
  refused("case.json --bless", "say why the record changes: --reason TEXT");
  refused("case.json --reason x", "add --bless");
  refused("case.json --json case.json", "which would be lost");
  refused("case.json --junit case.json", "--junit: 'case.json' is the same file");
  refused("case.json --junit x --json x", "which would be lost");
  refused("case.json --case-time 5", "has no unit");
  refused("case.json --policy DTRR", "did you mean DTR");
  put_file(folder / "torn.json", case_text(five_operators()).substr(0, 200));
  const ProcessResult torn = run_shell("pothole hunt torn.json", folder.path());
  EXPECT_EQ(torn.exit_code, 2);
  EXPECT_THAT(torn.errors, HasSubstr("torn.json:"));
  EXPECT_EQ(run_shell("pothole replay torn.json --quiet", folder.path()).exit_code, 2);
}

TEST(JunitReport, EscapesWhatXmlDoesNotAllow) {
  EXPECT_EQ(xml_characters("a\x01"
                           "b\xff"
                           "c\t\xEF\xBF\xBE"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD"
            "c\t\xEF\xBF\xBD");
  CaseReplay replay;
  replay.file = "x.json";
  replay.record.emplace();
  replay.record->title = "a <b> & \"c\" ]]> \x02";
  replay.judgement = {CaseVerdict::moved, "<why> & 'so'"};
  CaseReplay unread;
  unread.file = "y.json";
  unread.judgement = {CaseVerdict::invalid, "no case"};
  CaseReplay unrun = unread;
  unrun.was_run = false;
  const std::vector<CaseReplay> all = {replay, unread, unrun};
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(replay_junit(all).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 3);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  const pugi::xml_node test = suite.child("testcase");
  EXPECT_STREQ(test.attribute("name").value(), "x.json: a <b> & \"c\" ]]> \xEF\xBF\xBD");
  EXPECT_STREQ(test.child("failure").attribute("message").value(), "<why> & 'so'");
}

}  // namespace
}  // namespace pothole
