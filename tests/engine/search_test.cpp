// The ways to search against each other: the merged sweep, one run per execution, and bisection find the
// same executions; limits leave out and never mislabel.
#include "engine/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>

#include "engine/parallel.h"
#include "engine/pool_view.h"
#include "engine/program_builder.h"
#include "tests/support/any_program.h"

namespace pothole {

// So that a failing comparison says where maps differ.
void PrintTo(const Execution& e, std::ostream* out) {
  *out << "[" << e.from << ", " << e.to << ") " << name_of(e.outcome) << " " << e.model_compute << "+"
       << e.remat_compute;
}

namespace {

RunSettings settings_of(std::string_view policy) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::logic_error(error.what);
  return settings;
}

BudgetRange whole_range(const Program& program) { return {1, std::max<Bytes>(peak_of(program), 1) + 2}; }

Program program_of(std::uint64_t seed, std::int64_t operators) {
  return random_program(seed, swarm_knobs(seed, operators));
}

TEST(ThreadsSearch, SweepAndSingleExecutionsAgreeOnAThousandProgramsForEveryPolicy) {
  constexpr std::uint64_t kPrograms = 1000;
  std::atomic<std::int64_t> merged = 0, executions = 0;
  parallel_for(kPrograms, [&](std::size_t i) {
    const Program program = program_of(i, 4 + static_cast<std::int64_t>(i % 12));
    const BudgetRange range = whole_range(program);
    for (const Policy& policy : policies()) {
      RunSettings settings = settings_of(policy.name);
      settings.dealloc = kDeallocs[i % 3];
      if (!why_not_runnable(settings).empty()) settings.dealloc = Dealloc::eager;
      settings.overhead_limit = OverheadLimit::parse(i % 5 == 0 ? "1.5" : "60").value();
      settings.seed = i;
      if (i % 2 == 1) settings.shortlist_from = 4;  // so that the small pools here have some
      const FeasibilityMap swept = map_by_sweep(program, settings, range);
      const FeasibilityMap run_singly = map_by_executions(program, settings, range);
      ASSERT_EQ(swept.executions, run_singly.executions) << policy.name << " on program " << i;
      merged += swept.work.states_merged;
      executions += static_cast<std::int64_t>(swept.executions.size());
    }
  });
  // The comparison means something only if the sweep had something to split and to merge.
  EXPECT_GT(executions, static_cast<std::int64_t>(kPrograms * policies().size() * 3));
  EXPECT_GT(merged, 100);
}

TEST(ThreadsSearch, PartsThatAreGivenAwayMakeTheSameMapAndTheSameCounts) {
  constexpr std::int64_t kStepsOfAPart = 16 * 300;
  bool shed = false;
  for (std::uint64_t seed = 1; seed <= 3 && !shed; ++seed) {
    const Program program = long_program(seed);
    const RunSettings settings = settings_of("DTR");
    // The upper half: below it executions thrash, which takes sixty times as long.
    const Bytes peak = peak_of(program);
    const BudgetRange range = {(program.bottleneck() + peak) / 2, peak + 1};
    FeasibilityMap one, two;
    with_threads(1, [&] { one = map_by_sweep(program, settings, range); });
    with_threads(2, [&] { two = map_by_sweep(program, settings, range); });
    EXPECT_EQ(one.executions, two.executions);
    EXPECT_EQ(one.work, two.work);
    EXPECT_EQ(one.executions, map_by_executions(program, settings, range).executions);
    shed = shed || one.work.distinct_steps > 2 * kStepsOfAPart;
  }
  EXPECT_TRUE(shed);
}

TEST(ThreadsSearch, BisectionEndsWithTheSameExecutions) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Program program = program_of(seed, 20);
    const RunSettings settings = settings_of(seed % 2 == 0 ? "DTR" : "TwoPhase");
    const BudgetRange range = whole_range(program);
    EXPECT_EQ(map_by_bisection(program, settings, range).executions,
              map_by_executions(program, settings, range).executions);
  }
}

TEST(ThreadsSearch, KnownExecutionsAreTakenOverAndTheRestIsFound) {
  const Program program = long_program(4);
  const RunSettings settings = settings_of("DTR");
  const Bytes peak = peak_of(program);
  const BudgetRange range = {(program.bottleneck() + peak) / 2, peak + 1};
  const std::vector<Execution> all = map_by_sweep(program, settings, range).executions;
  ASSERT_GT(all.size(), 20u);
  std::vector<Execution> some;
  for (std::size_t i = 0; i < all.size(); i += 3) some.push_back(all[i]);
  EXPECT_EQ(map_by_sweep(program, settings, range, {}, some).executions, all);
  EXPECT_EQ(map_by_executions(program, settings, range, {}, some).executions, all);
  EXPECT_EQ(map_by_bisection(program, settings, range, {}, some).executions, all);
  EXPECT_EQ(map_by_sweep(program, settings, range, {}, all).work.distinct_steps, 0);
}

TEST(ThreadsSearch, WhatIsFoundIsReportedOnce) {
  const Program program = long_program(5);
  const BudgetRange range = {program.bottleneck(), peak_of(program) + 1};
  std::mutex mutex;
  std::vector<Execution> reported;
  SearchControl control;
  control.on_report = [&](const SearchReport& report) {
    const std::lock_guard lock(mutex);
    reported.insert(reported.end(), report.found.begin(), report.found.end());
  };
  const FeasibilityMap map = map_by_sweep(program, settings_of("DTR"), range, control);
  std::sort(reported.begin(), reported.end(), [](const Execution& a, const Execution& b) { return a.from < b.from; });
  EXPECT_EQ(reported, map.executions);
}

TEST(ThreadsSearch, AStepLimitLeavesTheLongExecutionsUnresolvedAndNothingElse) {
  const Program program = long_program(6);
  const RunSettings settings = settings_of("DTR");
  const BudgetRange range = {program.bottleneck(), peak_of(program) + 1};
  SearchControl control;
  control.limits.steps = 320;  // the trace itself has 300
  const FeasibilityMap limited = map_by_sweep(program, settings, range, control);
  std::int64_t unresolved = 0, resolved = 0;
  for (const Execution& execution : limited.executions) {
    RunOptions options;
    options.steps_max = control.limits.steps;
    const RunResult low = run(program, settings, execution.from, options);
    ASSERT_EQ(low.outcome, execution.outcome);
    ASSERT_EQ(run(program, settings, execution.to - 1, options).decision_digest, low.decision_digest);
    if (execution.outcome == Outcome::unresolved) {
      EXPECT_EQ(execution.why_unresolved, kStepLimit);
      ++unresolved;
    } else {
      ++resolved;
    }
  }
  EXPECT_GT(unresolved, 0);
  EXPECT_GT(resolved, 0);
  EXPECT_TRUE(gaps_in(range, limited.executions).empty());
}

TEST(ThreadsSearch, AMemoryLimitLeavesUnresolvedAndNeverMislabels) {
  const Program program = long_program(7);
  const RunSettings settings = settings_of("DTR");
  const BudgetRange range = {program.bottleneck(), peak_of(program) + 1};
  SearchControl control;
  control.limits.memory = 200'000;
  const FeasibilityMap limited = map_by_sweep(program, settings, range, control);
  const FeasibilityMap full = map_by_sweep(program, settings, range);
  std::int64_t given_up = 0;
  for (const Execution& execution : limited.executions) {
    if (execution.outcome == Outcome::unresolved) {
      EXPECT_EQ(execution.why_unresolved, kMemoryLimit);
      ++given_up;
    } else {
      EXPECT_NE(std::find(full.executions.begin(), full.executions.end(), execution), full.executions.end());
    }
  }
  EXPECT_GT(given_up, 0);
  EXPECT_TRUE(gaps_in(range, limited.executions).empty());
}

TEST(ThreadsSearch, AStoppedSweepLeavesGapsOnly) {
  const Program program = long_program(8);
  const BudgetRange range = {program.bottleneck(), peak_of(program) + 1};
  std::atomic<bool> stop = false;
  SearchControl control;
  control.stop = &stop;
  control.on_report = [&](const SearchReport&) { stop = true; };
  const FeasibilityMap partial = map_by_sweep(program, settings_of("DTR"), range, control);
  const FeasibilityMap full = map_by_sweep(program, settings_of("DTR"), range);
  EXPECT_LT(partial.executions.size(), full.executions.size());
  for (const Execution& execution : partial.executions)
    EXPECT_NE(std::find(full.executions.begin(), full.executions.end(), execution), full.executions.end());
}

TEST(ThreadsSearch, AGridSaysNothingBetweenItsCertificates) {
  const Program program = long_program(9);
  const RunSettings settings = settings_of("DTR");
  const BudgetRange range = {program.bottleneck(), peak_of(program) + 1};
  const FeasibilityMap full = map_by_sweep(program, settings, range);
  const std::vector<Bytes> budgets = {range.from, range.from + 1, (range.from + range.to) / 2, range.to - 1};
  const FeasibilityMap sampled = map_by_grid(program, settings, range, budgets);
  EXPECT_LE(sampled.executions.size(), budgets.size());
  for (const Execution& execution : sampled.executions)
    EXPECT_NE(std::find(full.executions.begin(), full.executions.end(), execution), full.executions.end());
  EXPECT_FALSE(gaps_in(range, sampled.executions).empty());
}

// Evicts the front of the pool at even budgets and the back at odd ones.
StorageId by_parity(PoolView& pool, const ConfiguredPolicy&) {
  return pool.member(pool.opaque_budget() % 2 == 0 ? 0 : pool.size() - 1);
}

TEST(Search, AnOpaquePolicyCertifiesSingleBudgetsOnly) {
  Policy policy;
  policy.name = "ByParity";
  policy.needs = Feature::opaque;
  policy.choose = by_parity;
  RunSettings settings;
  settings.policy.policy = &policy;
  EXPECT_FALSE(why_not_certifiable(settings).empty());
  EXPECT_TRUE(why_not_certifiable(settings_of("TwoPhase")).empty());
  const Program program = program_of(3, 25);
  const Bytes peak = peak_of(program);
  const BudgetRange range = {std::max<Bytes>(1, peak - 200), peak + 1};  // a run each
  const FeasibilityMap map = map_by_bisection(program, settings, range);
  bool asked = false;
  for (const Execution& execution : map.executions) {
    const RunResult result = run(program, settings, execution.from);
    ASSERT_EQ(result.outcome, execution.outcome);
    if (result.measures.evictions_by_policy > 0) {
      EXPECT_EQ(result.certificate, (Certificate{execution.from, execution.from + 1}));
      asked = true;
    }
  }
  EXPECT_TRUE(asked);
}

}  // namespace
}  // namespace pothole
