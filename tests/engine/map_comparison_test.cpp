// What differs between two maps, against a comparison byte by byte.
#include "engine/map_comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/geometric_mean.h"
#include "engine/search.h"
#include "tests/support/any_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

FeasibilityMap map_of(std::vector<Execution> executions, Bytes to) {
  FeasibilityMap map;
  map.from = 1;
  map.to = to;
  map.executions = std::move(executions);
  return map;
}

Execution part(Bytes from, Bytes to, Outcome outcome, Cost remat = 0) {
  Execution e;
  e.from = from;
  e.to = to;
  e.outcome = outcome;
  e.model_compute = 100;
  e.remat_compute = remat;
  return e;
}

TEST(GeometricMean, IsWeighted) {
  GeometricMean mean;
  EXPECT_EQ(mean.value(), std::nullopt);
  mean.add(2, 1, 1);
  EXPECT_EQ(mean.value(), 2.0);
  mean.add(1, 2, 1);
  EXPECT_EQ(mean.value(), 1.0);
  mean.add(8, 1, 2);
  EXPECT_DOUBLE_EQ(*mean.value(), std::pow(64, 0.25));
}

TEST(MapComparison, ByHand) {
  using enum Outcome;
  const FeasibilityMap base = map_of({part(1, 10, oom), part(10, 20, ok, 100), part(20, 30, oom), part(30, 40, ok, 0),
                                      part(40, 42, oom), part(42, 50, ok, 0)},
                                     50);
  const FeasibilityMap head = map_of({part(1, 12, oom), part(12, 20, ok, 0), part(20, 33, oom), part(33, 45, ok, 10),
                                      part(45, 46, oom), part(46, 50, ok, 0)},
                                     50);
  const MapComparison c = compare_maps(base, head);
  EXPECT_EQ(c.both_ok, 8 + 7 + 3 + 4);
  EXPECT_EQ(c.base_only, 2 + 3 + 1);
  EXPECT_EQ(c.head_only, 2);
  EXPECT_EQ(c.neither, 9 + 10);
  EXPECT_EQ(c.unresolved, 0);
  ASSERT_EQ(c.opened.size(), 1u);
  EXPECT_EQ(c.opened[0].hole.from, 45);
  EXPECT_EQ(c.opened[0].more, 1);
  EXPECT_EQ(c.opened[0].failing_there, 0);
  ASSERT_EQ(c.widened.size(), 1u);
  EXPECT_EQ(c.widened[0].hole.from, 20);
  EXPECT_EQ(c.widened[0].more, 3);
  ASSERT_EQ(c.closed.size(), 1u);
  EXPECT_EQ(c.closed[0].hole.from, 40);
  EXPECT_EQ(c.base_first, 10);
  EXPECT_EQ(c.head_first, 12);
  EXPECT_EQ(c.base_stable, 42);
  EXPECT_EQ(c.head_stable, 46);
  EXPECT_DOUBLE_EQ(*c.worst_overhead, 1.1);
  EXPECT_EQ(c.worst_at.from, 33);
  EXPECT_DOUBLE_EQ(*c.mean_overhead, std::exp((8 * std::log(0.5) + 10 * std::log(1.1)) / 22));
  EXPECT_FALSE(c.same_map);
}

TEST(MapComparison, WhereTheBaseFailsAnywayIsTold) {
  using enum Outcome;
  const FeasibilityMap base = map_of({part(1, 10, oom), part(10, 20, ok)}, 20);
  const FeasibilityMap head = map_of({part(1, 4, oom), part(4, 6, ok), part(6, 11, oom), part(11, 20, ok)}, 20);
  const MapComparison c = compare_maps(base, head);
  ASSERT_EQ(c.opened.size(), 1u);
  EXPECT_EQ(c.opened[0].more, 5);
  EXPECT_EQ(c.opened[0].failing_there, 4);
}

TEST(MapComparison, WhatWasNotReachedIsUnresolved) {
  using enum Outcome;
  const FeasibilityMap base = map_of({part(1, 10, oom), part(15, 20, ok)}, 20);
  const FeasibilityMap head = map_of({part(1, 12, oom), part(12, 20, ok)}, 20);
  const MapComparison c = compare_maps(base, head);
  EXPECT_EQ(c.unresolved, 5);
  EXPECT_EQ(c.both_ok, 5);
  EXPECT_EQ(c.neither, 9);
}

TEST(MapComparison, AgreesWithSingleRunsAtEveryBudget) {
  const RunSettings base = settings_with("DTR"), head = settings_with("LRU");
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Program program = random_program(seed, 10);
    const BudgetRange range{1, std::min<Bytes>(peak_of(program) + 2, 2000)};
    const MapComparison c = compare_maps(map_by_sweep(program, base, range), map_by_sweep(program, head, range));
    Bytes both = 0, base_only = 0, head_only = 0;
    double logs = 0;
    for (Bytes budget = range.from; budget < range.to; ++budget) {
      const RunResult x = run(program, base, budget), y = run(program, head, budget);
      both += x.outcome == Outcome::ok && y.outcome == Outcome::ok;
      base_only += x.outcome == Outcome::ok && y.outcome != Outcome::ok;
      head_only += x.outcome != Outcome::ok && y.outcome == Outcome::ok;
      if (x.outcome != Outcome::ok || y.outcome != Outcome::ok || x.measures.model_compute == 0) continue;
      logs += std::log(static_cast<double>(y.measures.model_compute + y.measures.remat_compute) /
                       static_cast<double>(x.measures.model_compute + x.measures.remat_compute));
    }
    ASSERT_EQ(c.both_ok, both) << seed;
    ASSERT_EQ(c.base_only, base_only) << seed;
    ASSERT_EQ(c.head_only, head_only) << seed;
    if (c.mean_overhead) {
      ASSERT_NEAR(*c.mean_overhead, std::exp(logs / static_cast<double>(both)), 1e-9) << seed;
    }
  }
}

TEST(DecisionDigests, TellTheSameDecisionsFromOthers) {
  const Program& program = five_operators();
  const BudgetRange range{1, 18};
  const FeasibilityMap map = map_by_sweep(program, settings_with("DTR"), range);
  const auto dtr = decision_digests(program, settings_with("DTR"), map);
  ASSERT_TRUE(dtr.has_value());
  EXPECT_EQ(dtr->size(), map.executions.size());
  EXPECT_EQ(decision_digests(program, settings_with("AbESizeStale"), map), dtr);
  EXPECT_NE(decision_digests(program, settings_with("LargestStorage"), map), dtr);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(decision_digests(program, settings_with("DTR"), map, &stop), std::nullopt);
}

}  // namespace
}  // namespace pothole
