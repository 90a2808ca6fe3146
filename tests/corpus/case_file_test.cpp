// Cases: what is written is read again, the name does not depend on where a case comes from, and whatever is not a case
// is refused by name.
#include "corpus/case_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "corpus/campaign_file.h"
#include "corpus/input_error.h"
#include "engine/draft.h"
#include "generators/random_program.h"
#include "tests/support/native_text.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

Case a_case(std::uint64_t seed = 1) {
  Case c;
  c.title = "DTR: hole [9, 10) in \"12\" operators";
  c.policy = "DTR";
  c.dealloc = "ignore";
  c.overhead_limit = "2.5";
  c.comparison = "exact";
  c.seed = 18446744073709551615u;
  c.property = "no-hole";
  c.kind = "hole";
  c.budgets = {8, 9, 10};
  c.text = "completes with 8";
  c.signature = "fails";
  c.map_from = 1;
  c.map_to = 20;
  c.map = {{1, 8, "oom"}, {8, 9, "ok"}, {9, 10, "oom"}, {10, 20, "ok"}};
  c.provenance = {"1.2.3", "gen:random", "abc", "7", 42, "by hand"};
  c.program = random_program(seed, 12);
  return c;
}

TEST(CaseFile, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Case c = a_case(seed);
    put_file(folder / "case.json", case_text(c));
    const Case again = read_case(folder / "case.json");
    EXPECT_EQ(case_text(again), case_text(c));
    EXPECT_EQ(again.budgets, c.budgets);
    EXPECT_EQ(again.map, c.map);
    EXPECT_EQ(again.seed, c.seed);
    EXPECT_EQ(again.provenance.case_number, 42u);
    EXPECT_EQ(native_text(again.program), native_text(canonical(c.program)));
  }
  Case other = a_case();
  other.budgets.reset();
  other.evidence = {3, 4};
  put_file(folder / "other.json", case_text(other));
  EXPECT_EQ(read_case(folder / "other.json").evidence, other.evidence);
}

CaseAnswer closed_answer() {
  CaseAnswer answer;
  answer.title = "DTR: no hole in 12 operators";
  answer.kind = kClosed;
  answer.map_from = 1;
  answer.map_to = 20;
  answer.map = {{1, 8, "oom"}, {8, 20, "ok"}};
  return answer;
}

TEST(CaseFile, KeepsWhatAnAnswerTookThePlaceOf) {
  const TemporaryFolder folder;
  const Case first = a_case();
  Case c = first;
  change_answer(c, closed_answer(), "fixed", "2.0");
  change_answer(c, first, "broken again", "2.1");
  put_file(folder / "case.json", case_text(c));
  const Case again = read_case(folder / "case.json");
  EXPECT_EQ(case_text(again), case_text(c));
  ASSERT_EQ(again.history.size(), 2u);
  EXPECT_EQ(again.history[0], (CaseChange{"fixed", "2.0", first}));
  EXPECT_EQ(again.history[1], (CaseChange{"broken again", "2.1", closed_answer()}));
  EXPECT_EQ(case_file_name(again), case_file_name(first));
}

TEST(CaseFile, TheNameIsOfTheQuestionAlone) {
  const Case c = a_case();
  EXPECT_EQ(case_file_name(c).size(), 16u + 5u);
  Case elsewhere = c;
  elsewhere.provenance = {"9", "somewhere", "", "else", 1, ""};
  static_cast<CaseAnswer&>(elsewhere) = closed_answer();
  EXPECT_EQ(case_file_name(elsewhere), case_file_name(c));
  std::set<std::string> names = {case_file_name(c), case_file_name(a_case(2))};
  const auto with = [&](auto change) {
    Case other = a_case();
    change(other);
    names.insert(case_file_name(other));
  };
  with([](Case& other) { other.policy = "LRU"; });
  with([](Case& other) { other.policy_kind = "score"; });
  with([](Case& other) { other.dealloc = "eager"; });
  with([](Case& other) { other.overhead_limit = "60"; });
  with([](Case& other) { other.comparison = "reference"; });
  with([](Case& other) { other.seed = 1; });
  with([](Case& other) { other.property = "inclusion"; });
  EXPECT_EQ(names.size(), 9u);
}

// Whatever its tensors and operators are called, a program is one file.
TEST(CaseFile, NamesOfTensorsAndOperatorsAreCanonical) {
  Case c = a_case();
  Draft draft = draft_of(c.program);
  for (Draft::Tensor& tensor : draft.tensors) tensor.name = "x";
  for (Draft::Step& step : draft.steps) step.name = "conv";
  Case renamed = c;
  renamed.program = *program_of(draft);
  ASSERT_NE(native_text(renamed.program), native_text(c.program));
  EXPECT_EQ(case_text(renamed), case_text(c));
  EXPECT_EQ(case_file_name(renamed), case_file_name(c));
}

TEST(CaseFile, AddingIsIdempotent) {
  const TemporaryFolder folder;
  Case c = a_case();
  EXPECT_TRUE(add_case(folder.path(), c));
  const std::string first = file_content(folder / case_file_name(c));
  c.provenance.note = "again";
  EXPECT_FALSE(add_case(folder.path(), c));
  EXPECT_EQ(file_content(folder / case_file_name(c)), first);
}

TEST(CaseFile, StandsWhereATraceCan) {
  const TemporaryFolder folder;
  put_file(folder / "case.json", case_text(a_case()));
  const Trace trace = read_trace(folder / "case.json");
  EXPECT_EQ(trace.name, a_case().title);
  EXPECT_EQ(native_text(trace.program), native_text(canonical(a_case().program)));
}

void expect_refused(const std::string& text, const std::string& what) {
  const TemporaryFolder folder;
  put_file(folder / "case.json", text);
  try {
    read_case(folder / "case.json");
    ADD_FAILURE() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("case.json"));
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr(what)) << text;
  }
}

TEST(CaseFile, WhatIsWrongIsNamed) {
  const std::string text = case_text(a_case());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
  };
  expect_refused("[]", "not a JSON object");
  expect_refused("{", "malformed JSON");
  expect_refused("{}", "\"format\" is missing");
  expect_refused(with("case/1", "case/2"), "not a case that is known");
  expect_refused(with("\"title\":", "\"titel\":"), "unknown key \"titel\"");
  expect_refused(with("\"title\":\"", "\"title\":\"x\",\"title\":\""), "the key \"title\" is repeated");
  expect_refused(with("\"ok\":8", "\"ok\":9"), "not in order");
  expect_refused(with("\"ok\":8", "\"ok\":-8"), "whole number");
  expect_refused(with("\"ok\":8", "\"ok\":8.5"), "whole number");
  expect_refused(with("\"ok\":8,", ""), "\"ok\" is missing");
  expect_refused(with("\"policy\":\"DTR\"", "\"policy\":3"), "\"policy\" must be a string");
  expect_refused(with("[1,8,\"oom\"]", "[1,8]"), "segments");
  expect_refused(with("[1,8,\"oom\"]", "[1,7,\"oom\"],[6,8,\"oom\"]"), ":14: the segments of \"map\" are not in order");
  expect_refused(with("[10,20,\"ok\"]", "[10,21,\"ok\"]"), "are not in order");
  expect_refused(with("[1,8,\"oom\"]", "[1,8,\"oops\"]"), ":14: there is no outcome \"oops\" (write ok, oom");
  expect_refused(with("[9,10,\"oom\"]", "[9,10,\"ok\"]"), ":10: \"budgets\" names 9 as oom, which \"map\" does not");
  expect_refused(with("\"kind\":\"hole\"", "\"kind\":\"closed\""), ":10: \"kind\" is closed");
  expect_refused(with("\"title\":\"", "\"title\":\"\\n"), ":2: \"title\" is not one line");
  expect_refused(with("\"policy\":\"DTR\"", "\"policy_kind\":\"rule\",\"policy\":\"DTR\""),
                 "\"policy_kind\" is \"rule\" (write policy, score or plugin)");
  expect_refused(with("\"provenance\":{", "\"history\":[{}],\"provenance\":{"), ":15: \"reason\" is missing");
  expect_refused(with("\"provenance\":{", "\"history\":[{\"reason\":\"x\",\"was\":{\"titel\":1}}],\"provenance\":{"),
                 ":15: unknown key \"titel\"");
  expect_refused(with("\"program\":", "\"program\":3,\"x\":"), "\"x\"");
  expect_refused(with("\"operators\":[", "\"operators\":[3,"), ":16: \"operators\" must hold objects");
  expect_refused(text.substr(0, text.size() / 2), "malformed JSON");
  expect_refused(std::string(100'000, '['), "JSON");
}

CampaignFile a_campaign() {
  CampaignFile campaign;
  campaign.seed = "abc";
  campaign.settings = {"policy DTR", "keep 3"};
  campaign.next_case = 77;
  CampaignRow row;
  row.source = "random?operators=12";
  row.policy = "DTR";
  row.cases = 70;
  row.rejected = 7;
  row.holes = 3;
  row.broken = {{"inclusion", 4}};
  campaign.rows = {row};
  campaign.signatures = {{"DTR", "no-hole", "hole", "fails", 3, {"a.json", "b.json"}}};
  return campaign;
}

TEST(CampaignFile, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  put_file(folder / "campaign.json", campaign_text(a_campaign()));
  EXPECT_EQ(read_campaign(folder / "campaign.json"), a_campaign());
}

TEST(CampaignFile, WhatIsNoneIsRefused) {
  const TemporaryFolder folder;
  const std::string text = campaign_text(a_campaign());
  std::vector<std::string> wrong = {"",
                                    "{}",
                                    "[1]",
                                    text.substr(0, text.size() / 2),
                                    "{\"format\":\"pothole-campaign/2\"}",
                                    std::string(text).replace(text.find("77"), 2, "-1"),
                                    std::string(text).replace(text.find("77"), 2, "9007199254740994"),
                                    std::string(text).replace(text.find("\"rows\""), 6, "\"rose\"")};
  for (const std::string& content : wrong) {
    put_file(folder / "campaign.json", content);
    EXPECT_THROW(read_campaign(folder / "campaign.json"), InputError) << content;
  }
}

}  // namespace
}  // namespace pothole
