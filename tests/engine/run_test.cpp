// How runs end, and the measures at their edges.
#include "engine/run.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/program_builder.h"

namespace pothole {
namespace {

void check(const std::optional<BuildError>& error) {
  if (error) throw std::logic_error(error->what);
}

RunSettings lru() {
  RunSettings settings;
  settings.policy.policy = find_policy("LRU");
  return settings;
}

Program one_operator(Cost cost, Bytes size) {
  ProgramBuilder builder;
  check(builder.add_operator("f", cost, {}, {{size, -1, ""}}));
  return builder.finish();
}

// An operator whose output is released and then used, so that its cost is spent twice.
Program used_after_release(Cost cost) {
  ProgramBuilder builder;
  check(builder.add_operator("f", cost, {}, {{1, -1, ""}}));
  check(builder.release(0));
  check(builder.add_operator("g", 0, {0}, {{1, -1, ""}}));
  return builder.finish();
}

TEST(Run, AnEmptyProgramCompletesAtEveryBudget) {
  const RunResult result = run(ProgramBuilder().finish(), lru(), 0);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.certificate, Certificate());
  EXPECT_EQ(result.measures, Measures());
  EXPECT_EQ(peak_of(ProgramBuilder().finish()), 0);
}

TEST(Run, AStopFlagMakesTheRunUnresolved) {
  std::atomic<bool> stop{true};
  RunOptions options;
  options.stop = &stop;
  const Program program = one_operator(5, 5);
  const RunResult stopped = run(program, lru(), 5, options);
  EXPECT_EQ(stopped.outcome, Outcome::unresolved);
  EXPECT_EQ(stopped.why_unresolved, "interrupted");
  EXPECT_FALSE(stopped.failure);
  stop = false;
  const RunResult finished = run(program, lru(), 5, options);
  EXPECT_EQ(finished.outcome, Outcome::ok);
  EXPECT_EQ(finished.why_unresolved, "");
}

TEST(Run, AClockThatWouldPass63BitsMakesTheRunUnresolved) {
  const RunResult result = run(used_after_release(kLargestQuantity), lru(), 2);
  EXPECT_EQ(result.outcome, Outcome::unresolved);
  EXPECT_EQ(result.why_unresolved, "the clock passes 2^63");
  EXPECT_EQ(result.measures.clock, kLargestQuantity + 1);
  EXPECT_EQ(result.measures.remat_compute, 0);
  EXPECT_EQ(result.measures.remats, 1);
}

TEST(Run, AClockOfExactlyTheLargestNumberIsReached) {
  const RunResult result = run(used_after_release(kLargestQuantity - 1), lru(), 2);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.measures.clock, std::numeric_limits<Tick>::max());
}

TEST(Run, ConstantsAboveTheBudgetAreOom) {
  ProgramBuilder builder;
  check(builder.add_constant(60, "a"));
  check(builder.add_constant(48, "b"));
  check(builder.add_operator("f", 10, {0, 1}, {{0, -1, ""}}));
  const Program program = builder.finish();
  ASSERT_EQ(program.constant_bytes(), 108);
  for (const Policy& policy : policies()) {
    RunSettings settings;
    settings.policy.policy = &policy;
    settings.policy.values = {1, 1};
    const RunResult result = run(program, settings, 107);
    EXPECT_EQ(result.outcome, Outcome::oom) << policy.name;
    EXPECT_EQ(result.certificate, (Certificate{60, 108})) << policy.name;
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(*result.failure, (Failure{48, 1, 1, 60})) << policy.name;
    EXPECT_EQ(run(program, settings, 108).outcome, Outcome::ok) << policy.name;
  }
}

TEST(Run, AnOperatorOfSizeZeroStillAsksForRoom) {
  ProgramBuilder builder;
  check(builder.add_operator("f", 1, {}, {{4, -1, ""}}));
  check(builder.add_operator("g", 1, {0}, {{0, -1, ""}}));
  const RunResult result = run(builder.finish(), lru(), 4);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.certificate, (Certificate{4, Certificate::kUnbounded}));
}

TEST(Run, WhatCompletedBeforeTheLimitWasPassedIsThrashedAllTheSame) {
  RunSettings settings = lru();
  settings.overhead_limit = OverheadLimit::parse("1.999999999").value();
  const RunResult result = run(used_after_release(7), settings, 2);
  EXPECT_EQ(result.outcome, Outcome::thrashed);
  EXPECT_EQ(result.measures.remat_compute, 7);
  settings.overhead_limit = OverheadLimit::parse("2").value();
  EXPECT_EQ(run(used_after_release(7), settings, 2).outcome, Outcome::ok);
}

TEST(Run, ReleasesEvictOnlyWhenEager) {
  const Program program = used_after_release(7);
  RunSettings settings = lru();
  EXPECT_EQ(run(program, settings, 2).measures.evictions_on_release, 1);
  settings.dealloc = Dealloc::ignore;
  const RunResult ignored = run(program, settings, 2);
  EXPECT_EQ(ignored.measures.evictions_on_release, 0);
  EXPECT_EQ(ignored.measures.remats, 0);
}

TEST(Run, VictimsAreRecordedOnlyOnDemand) {
  ProgramBuilder builder;
  for (int i = 0; i < 3; ++i) check(builder.add_operator("f", 1, {}, {{1, -1, ""}}));
  const Program program = builder.finish();
  RunOptions options;
  options.record_victims = true;
  const std::vector<TensorId> oldest_first = {0, 1};
  EXPECT_EQ(run(program, lru(), 1, options).victims, oldest_first);
  EXPECT_TRUE(run(program, lru(), 1).victims.empty());
  EXPECT_EQ(run(program, lru(), 1).decision_digest, run(program, lru(), 1, options).decision_digest);
}

TEST(Run, ABudgetAtARatioIsRoundedDownFromTheDoubleProduct) {
  EXPECT_EQ(budget_at_ratio(100, 0.05), 5);
  EXPECT_EQ(budget_at_ratio(10'061'179'648, 0.05), 503'058'982);
  EXPECT_EQ(budget_at_ratio(100, 0.29), 28);  // 100 * 0.29 is below 29 in binary64
  EXPECT_EQ(budget_at_ratio(7, 1.0), 7);
}

}  // namespace
}  // namespace pothole
