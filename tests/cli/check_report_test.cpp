// What the text of a check says of verdicts that no trace has today, and the exit codes.
#include "cli/check_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/subjects.h"

namespace pothole {
namespace {

using testing::HasSubstr;
using testing::Not;

CheckReport report_of(std::vector<std::pair<const char*, Verdict>> verdicts) {
  CheckReport report{settings_with("DTR"), {1, 10}, {}};
  for (auto& [property, verdict] : verdicts) report.properties.push_back({find_property(property), verdict});
  return report;
}

Verdict violated() {
  Verdict verdict;
  verdict.ruling = Ruling::violated;
  verdict.violation = Violation{{"", "DTR", "kind", {}}, {1, 2}, {}, "what happened"};
  return verdict;
}

Verdict unresolved() {
  Verdict verdict;
  verdict.ruling = Ruling::unresolved;
  verdict.why = kStepLimit;
  return verdict;
}

std::string text_of(const CheckReport& report) {
  Trace trace;
  trace.name = "t";
  return check_text(trace, 9, {report}, false);
}

TEST(CheckReport, NamesABrokenContractSo) {
  EXPECT_THAT(text_of(report_of({{"resident", violated()}})), HasSubstr("contract broken"));
  EXPECT_THAT(text_of(report_of({{"no-hole", violated()}})), HasSubstr("violated"));
  EXPECT_THAT(text_of(report_of({{"no-hole", violated()}})), HasSubstr("what happened"));
}

TEST(CheckReport, NeverShowsASampleAsCertain) {
  Verdict verdict;
  verdict.coverage = {64, 1000, true};
  const std::string text = text_of(report_of({{"resident", verdict}}));
  EXPECT_THAT(text, HasSubstr("holds (sampled)"));
  EXPECT_THAT(text, HasSubstr("64 of 1000 executions"));
  EXPECT_THAT(text, Not(HasSubstr("every budget")));
}

TEST(CheckReport, SaysWhyNothingIsKnown) {
  EXPECT_THAT(text_of(report_of({{"no-hole", unresolved()}})), HasSubstr("step limit"));
}

TEST(CheckReport, ExitCodesInTheOrderOfWhatMattersMost) {
  const auto code = [](std::vector<std::pair<const char*, Verdict>> verdicts, bool was_interrupted = false) {
    return exit_code_of({report_of({}), report_of(std::move(verdicts))}, was_interrupted);
  };
  EXPECT_EQ(code({{"no-hole", {}}}), ExitCode::nothing_found);
  EXPECT_EQ(code({{"no-hole", violated()}, {"resident", unresolved()}}), ExitCode::found);
  EXPECT_EQ(code({{"no-hole", unresolved()}}), ExitCode::work_left);
  EXPECT_EQ(code({{"no-hole", unresolved()}}, true), ExitCode::interrupted);
  EXPECT_EQ(code({{"no-hole", {}}}, true), ExitCode::nothing_found);
  EXPECT_EQ(code({{"no-hole", violated()}, {"resident", violated()}}), ExitCode::contract_broken);
}

}  // namespace
}  // namespace pothole
