// What follows from a map, on maps made by hand.
#include "engine/feasibility_map.h"

#include <gtest/gtest.h>

namespace pothole {
namespace {

constexpr Outcome kOk = Outcome::ok, kOom = Outcome::oom, kThrashed = Outcome::thrashed,
                  kUnresolved = Outcome::unresolved;

Execution execution(Bytes from, Bytes to, Outcome outcome, Cost remat = 0, Cost model = 100) {
  return {from, to, outcome, outcome == kUnresolved ? "the clock passes 2^63" : "", model, remat};
}

FeasibilityMap map_of(std::vector<Execution> executions, Bytes from, Bytes to) {
  FeasibilityMap map;
  map.from = from;
  map.to = to;
  map.executions = std::move(executions);
  return map;
}

FeasibilityMap map_of(std::vector<Execution> executions) {
  const Bytes from = executions.front().from, to = executions.back().to;
  return map_of(std::move(executions), from, to);
}

std::vector<Hole> holes_in(std::vector<Execution> executions) {
  return holes_of(segments_of(map_of(std::move(executions))));
}

void expect_segment(const Segment& segment, Bytes from, Bytes to, Outcome outcome, std::optional<double> least = {},
                    std::optional<double> most = {}) {
  EXPECT_EQ(segment.from, from);
  EXPECT_EQ(segment.to, to);
  EXPECT_EQ(segment.outcome, outcome);
  EXPECT_EQ(segment.overhead_min, least);
  EXPECT_EQ(segment.overhead_max, most);
}

void expect_hole(const Hole& hole, Bytes from, Bytes to, Bytes oom, Bytes thrashed, Bytes unresolved) {
  EXPECT_EQ(hole.from, from);
  EXPECT_EQ(hole.to, to);
  EXPECT_EQ(hole.oom_bytes, oom);
  EXPECT_EQ(hole.thrashed_bytes, thrashed);
  EXPECT_EQ(hole.unresolved_bytes, unresolved);
  EXPECT_EQ(hole.safe_budget, from - 1);
}

TEST(FeasibilityMap, SegmentsJoinNeighboursOfOneOutcome) {
  const auto segments =
      segments_of(map_of({execution(1, 5, kOom), execution(5, 9, kOom), execution(9, 12, kOk, 50),
                          execution(12, 13, kOk, 20), execution(13, 20, kOk, 30), execution(20, 21, kThrashed)}));
  ASSERT_EQ(segments.size(), 3u);
  expect_segment(segments[0], 1, 9, kOom);
  expect_segment(segments[1], 9, 20, kOk, 1.2, 1.5);
  expect_segment(segments[2], 20, 21, kThrashed);
}

TEST(FeasibilityMap, BudgetsThatWereNotReachedAreUnresolvedSegments) {
  const FeasibilityMap map = map_of({execution(10, 20, kOk), execution(30, 40, kOk)}, 5, 50);
  const auto segments = segments_of(map);
  ASSERT_EQ(segments.size(), 5u);
  expect_segment(segments[0], 5, 10, kUnresolved);
  expect_segment(segments[1], 10, 20, kOk, 1, 1);
  expect_segment(segments[2], 20, 30, kUnresolved);
  expect_segment(segments[3], 30, 40, kOk, 1, 1);
  expect_segment(segments[4], 40, 50, kUnresolved);
  EXPECT_EQ(certified_bytes_of(map), 20);
  EXPECT_EQ(unresolved_of(map).size(), 3u);
  EXPECT_TRUE(holes_of(segments).empty());
}

TEST(FeasibilityMap, AnEmptyRangeHasNothing) {
  const FeasibilityMap map = map_of({}, 7, 7);
  EXPECT_TRUE(segments_of(map).empty());
  EXPECT_TRUE(holes_of({}).empty());
  EXPECT_TRUE(unresolved_of(map).empty());
  EXPECT_TRUE(cost_inversions_of(map).empty());
  EXPECT_FALSE(first_success_of({}));
  EXPECT_FALSE(stable_from_of({}));
  EXPECT_EQ(certified_bytes_of(map), 0);
}

TEST(FeasibilityMap, SegmentsWithoutModelComputeHaveNoOverhead) {
  const auto segments = segments_of(map_of({execution(1, 3, kOk, 5, 0), execution(3, 4, kOk, 0, 0)}));
  ASSERT_EQ(segments.size(), 1u);
  expect_segment(segments[0], 1, 4, kOk);
}

TEST(FeasibilityMap, AHoleLiesBetweenNeighbouringOkSegments) {
  const auto holes =
      holes_in({execution(1, 40, kOom), execution(40, 41, kOk), execution(41, 48, kOom), execution(48, 60, kOk),
                execution(60, 62, kOom), execution(62, 63, kOk), execution(63, 70, kOom)});
  ASSERT_EQ(holes.size(), 2u);  // not below the first success, and not above the last
  expect_hole(holes[0], 41, 48, 7, 0, 0);
  expect_hole(holes[1], 60, 62, 2, 0, 0);
}

TEST(FeasibilityMap, AHoleCountsItsOutcomesApart) {
  const auto holes = holes_in({execution(1, 10, kOk), execution(10, 13, kThrashed), execution(13, 14, kOom),
                               execution(14, 19, kUnresolved), execution(19, 21, kThrashed), execution(21, 30, kOk)});
  ASSERT_EQ(holes.size(), 1u);
  expect_hole(holes[0], 10, 21, 1, 5, 5);
}

TEST(FeasibilityMap, WithoutAByteOfOomThereIsNoHole) {
  EXPECT_TRUE(holes_in({execution(1, 10, kOk), execution(10, 20, kThrashed), execution(20, 30, kOk)}).empty());
  EXPECT_TRUE(holes_in({execution(1, 10, kOk), execution(10, 20, kUnresolved), execution(20, 30, kOk)}).empty());
  // The gap that is no hole does not spill into the next.
  const auto holes = holes_in({execution(1, 10, kOk), execution(10, 20, kThrashed), execution(20, 30, kOk),
                               execution(30, 31, kOom), execution(31, 32, kOk)});
  ASSERT_EQ(holes.size(), 1u);
  expect_hole(holes[0], 30, 31, 1, 0, 0);
}

TEST(FeasibilityMap, AGapInsideAHoleIsUnresolved) {
  const auto holes =
      holes_of(segments_of(map_of({execution(1, 10, kOk), execution(10, 12, kOom), execution(15, 20, kOk)})));
  ASSERT_EQ(holes.size(), 1u);
  expect_hole(holes[0], 10, 15, 2, 0, 3);
}

TEST(FeasibilityMap, FirstSuccessAndStableFrom) {
  const auto holed = segments_of(map_of({execution(1, 5, kOom), execution(5, 6, kOk), execution(6, 7, kOom),
                                         execution(7, 9, kOk, 1), execution(9, 11, kOk)}));
  EXPECT_EQ(first_success_of(holed), 5);
  EXPECT_EQ(stable_from_of(holed), 7);
  const auto never = segments_of(map_of({execution(1, 5, kOom), execution(5, 9, kThrashed)}));
  EXPECT_FALSE(first_success_of(never));
  EXPECT_FALSE(stable_from_of(never));
  const auto fails_at_last = segments_of(map_of({execution(1, 5, kOk), execution(5, 9, kThrashed)}));
  EXPECT_EQ(first_success_of(fails_at_last), 1);
  EXPECT_FALSE(stable_from_of(fails_at_last));
  const auto not_reached_at_last = segments_of(map_of({execution(1, 5, kOk)}, 1, 6));
  EXPECT_FALSE(stable_from_of(not_reached_at_last));
  const auto always = segments_of(map_of({execution(1, 5, kOk)}));
  EXPECT_EQ(first_success_of(always), 1);
  EXPECT_EQ(stable_from_of(always), 1);
}

TEST(FeasibilityMap, CostInversionsNameTheLargestBudgetOfLeastOverheadBelow) {
  const auto inversions =
      cost_inversions_of(map_of({execution(1, 5, kOk, 30), execution(5, 8, kOk, 10), execution(8, 10, kOk, 10),
                                 execution(10, 12, kOom, 0), execution(12, 15, kOk, 20), execution(15, 20, kOk, 20),
                                 execution(20, 25, kOk, 40), execution(25, 30, kOk, 10), execution(30, 31, kOk, 11)}));
  ASSERT_EQ(inversions.size(), 3u);
  EXPECT_EQ(inversions[0].from, 12);
  EXPECT_EQ(inversions[0].to, 20);  // two executions of one overhead
  EXPECT_EQ(inversions[0].overhead, 1.2);
  EXPECT_EQ(inversions[0].smaller_budget, 9);
  EXPECT_EQ(inversions[0].smaller_overhead, 1.1);
  EXPECT_EQ(inversions[1].from, 20);
  EXPECT_EQ(inversions[1].to, 25);
  EXPECT_EQ(inversions[1].overhead, 1.4);
  EXPECT_EQ(inversions[1].smaller_budget, 9);
  EXPECT_EQ(inversions[2].from, 30);
  EXPECT_EQ(inversions[2].smaller_budget, 29);
}

TEST(FeasibilityMap, FallingOverheadsAreNoInversion) {
  EXPECT_TRUE(cost_inversions_of(map_of({execution(1, 5, kOk, 30), execution(5, 8, kOk, 30), execution(8, 9, kOk, 2)}))
                  .empty());
  // What did not complete has no overhead to compare.
  EXPECT_TRUE(
      cost_inversions_of(map_of({execution(1, 5, kOom, 0), execution(5, 8, kThrashed, 900), execution(8, 9, kOk, 2)}))
          .empty());
  EXPECT_TRUE(cost_inversions_of(map_of({execution(1, 5, kOk, 0, 0), execution(5, 8, kOk, 3, 0)})).empty());
}

TEST(FeasibilityMap, EqualInversionsOnBothSidesOfAGapStayApart) {
  const auto inversions = cost_inversions_of(
      map_of({execution(1, 5, kOk, 0), execution(5, 8, kOk, 9), execution(8, 9, kOom), execution(9, 12, kOk, 9)}));
  ASSERT_EQ(inversions.size(), 2u);
  EXPECT_EQ(inversions[0].to, 8);
  EXPECT_EQ(inversions[1].from, 9);
}

TEST(FeasibilityMap, UnresolvedIntervalsJoinByReason) {
  std::vector<Execution> executions = {execution(2, 4, kUnresolved), execution(4, 5, kUnresolved), execution(5, 6, kOk),
                                       execution(6, 7, kUnresolved), execution(7, 8, kUnresolved)};
  executions[4].why_unresolved = "another reason";
  const FeasibilityMap map = map_of(std::move(executions), 1, 9);
  const auto intervals = unresolved_of(map);
  ASSERT_EQ(intervals.size(), 5u);
  const std::vector<std::pair<Bytes, Bytes>> expected = {{1, 2}, {2, 5}, {6, 7}, {7, 8}, {8, 9}};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(std::pair(intervals[i].from, intervals[i].to), expected[i]);
  EXPECT_EQ(intervals[0].why, "interrupted");
  EXPECT_EQ(intervals[1].why, "the clock passes 2^63");
  EXPECT_EQ(intervals[3].why, "another reason");
  EXPECT_EQ(certified_bytes_of(map), 1);
}

TEST(FeasibilityMap, OverheadIsCorrectlyRoundedAndOfOkRunsOnly) {
  EXPECT_EQ(overhead_of(kOk, 10, 5), 1.5);
  EXPECT_EQ(overhead_of(kOk, 3, 0), 1);
  EXPECT_FALSE(overhead_of(kOk, 0, 5));
  EXPECT_FALSE(overhead_of(kOom, 10, 5));
  EXPECT_FALSE(overhead_of(kThrashed, 10, 5));
  EXPECT_FALSE(overhead_of(kUnresolved, 10, 5));
  // The sum alone would round to 2^53.
  constexpr Cost k53 = Cost{1} << 53;
  EXPECT_EQ(overhead_of(kOk, k53 - 1, 2), 1 + 0x1p-52);
  EXPECT_EQ(overhead_of(kOk, kLargestQuantity, kLargestQuantity), 2);
}

}  // namespace
}  // namespace pothole
