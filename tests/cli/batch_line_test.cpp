#include "cli/batch_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/input_error.h"

namespace pothole {
namespace {

BatchLine parse(const std::string& text) { return parse_batch_line(text, RunSettings{}, "points.jsonl:7"); }

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BatchLine, EverythingThatCanBeSaid) {
  const BatchLine line =
      parse(R"({"trace":"a.log","policy":"LRU","budget":"1.5kB","overhead_limit":2.5,"dealloc":"ignore"})");
  EXPECT_EQ(line.trace, "a.log");
  EXPECT_FALSE(line.log);
  EXPECT_EQ(line.settings.policy.policy->name, "LRU");
  EXPECT_EQ(line.budget, 1500);
  EXPECT_FALSE(line.ratio);
  EXPECT_EQ(line.settings.overhead_limit.value(), 2.5);
  EXPECT_EQ(line.settings.dealloc, Dealloc::ignore);
}

TEST(BatchLine, AScoreInsteadOfAPolicyAndAComparison) {
  const BatchLine line = parse(R"({"trace":"a.log","score":"mine=(c + e) / m","budget":7,"comparison":"exact"})");
  EXPECT_EQ(line.settings.policy.text, "mine=(c + e) / m");
  EXPECT_EQ(line.settings.policy.label(), "mine");
  EXPECT_EQ(line.settings.comparison, Comparison::exact);
}

TEST(BatchLine, ALogInPlaceAndARatio) {
  const BatchLine line = parse(R"({"log":["a","b"],"policy":"DTR","ratio":0.4,"overhead_limit":"3"})");
  EXPECT_EQ(line.log, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(line.ratio, 0.4);
  EXPECT_EQ(line.settings.overhead_limit.value(), 3);
}

TEST(BatchLine, WhatIsLeftOutComesFromTheDefaults) {
  RunSettings defaults;
  defaults.dealloc = Dealloc::ignore;
  defaults.seed = 5;
  const BatchLine line = parse_batch_line(R"({"trace":"a","policy":"DTR","budget":1})", defaults, "x:1");
  EXPECT_EQ(line.settings.dealloc, Dealloc::ignore);
  EXPECT_EQ(line.settings.seed, 5u);
  EXPECT_EQ(line.settings.overhead_limit.value(), 60);
}

TEST(BatchLine, EachMistakeIsNamedWithItsLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "not valid JSON"},
      {"[]", "not a JSON object"},
      {"{}", R"(neither "trace" nor "log" is given)"},
      {R"({"trace":"a","log":[],"policy":"DTR","budget":1})", R"(both "trace" and "log" are given)"},
      {R"({"trace":"a","policy":"DTR"})", R"(neither "budget" nor "ratio" is given)"},
      {R"({"trace":"a","policy":"DTR","budget":1,"ratio":1})", R"(both "budget" and "ratio" are given)"},
      {R"({"trace":"a","policy":"DTR","budget":1,"budget":2})", R"(key "budget" is there twice)"},
      {R"({"trace":"a","policy":"DTR","buget":1})", R"(unknown key "buget" (did you mean "budget"?))"},
      {R"({"trace":"a","budget":1})", R"(neither "policy" nor "score" nor "plugin" is given)"},
      {R"({"trace":"a","policy":"DTR","score":"c","budget":1})", R"(both "policy" and "score" are given)"},
      {R"({"trace":"a","score":7,"budget":1})", R"("score" is not a string)"},
      {R"({"trace":"a","score":"c +","budget":1})", "the expression ends too early"},
      {R"({"trace":"a","policy":"DTR","budget":1,"comparison":"wide"})", "unknown comparison mode 'wide'"},
      {R"({"trace":"a","policy":"DRT","budget":1})", "did you mean DTR"},
      {R"({"trace":"a","policy":7,"budget":1})", R"("policy" is not a string)"},
      {R"({"trace":7,"policy":"DTR","budget":1})", R"("trace" is not a string)"},
      {R"({"trace":"","policy":"DTR","budget":1})", R"("trace" is empty)"},
      {R"({"log":"a","policy":"DTR","budget":1})", R"("log" is not a list of lines)"},
      {R"({"log":[1],"policy":"DTR","budget":1})", R"("log" is not a list of lines)"},
      {R"({"trace":"a","policy":"DTR","budget":1.5})", R"("budget" is not a whole number of bytes)"},
      {R"({"trace":"a","policy":"DTR","budget":1e3})", R"("budget" is not a whole number of bytes)"},
      {R"({"trace":"a","policy":"DTR","budget":null})", R"("budget" is not a whole number of bytes)"},
      {R"({"trace":"a","policy":"DTR","budget":0})", "is zero"},
      {R"({"trace":"a","policy":"DTR","budget":-5})", "is negative"},
      {R"({"trace":"a","policy":"DTR","budget":18446744073709551615})", "is too large"},
      {R"({"trace":"a","policy":"DTR","budget":"0.5"})", "is a fraction without a unit"},
      {R"({"trace":"a","policy":"DTR","ratio":"0.5"})", R"("ratio" is not a number)"},
      {R"({"trace":"a","policy":"DTR","ratio":0})", "is zero"},
      {R"({"trace":"a","policy":"DTR","ratio":-0.5})", "is negative"},
      {R"({"trace":"a","policy":"DTR","ratio":1e999})", "not valid JSON"},
      {R"({"trace":"a","policy":"DTR","budget":1,"overhead_limit":0})", "is not an overhead limit"},
      {R"({"trace":"a","policy":"DTR","budget":1,"overhead_limit":[]})", R"("overhead_limit" is not a number)"},
      {R"({"trace":"a","policy":"DTR","budget":1,"dealloc":"banish"})", "policy DTR cannot be run"},
      {R"({"trace":"a","policy":"DTR","budget":1,"dealloc":"lazy"})", "unknown dealloc mode 'lazy'"},
  };
  for (const auto& [text, wanted] : cases) {
    EXPECT_THAT(refusal(text), testing::AllOf(testing::StartsWith("points.jsonl:7"), testing::HasSubstr(wanted)))
        << text;
  }
}

}  // namespace
}  // namespace pothole
