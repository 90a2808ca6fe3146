// Holes told one by one are the holes of the whole map, whatever the order of the executions.
#include "cli/hole_watch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/search.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

TEST(HoleWatch, TellsAHoleOnceBothNeighboursAreKnown) {
  HoleWatch watch;
  const auto add = [&](Bytes from, Bytes to, Outcome outcome) {
    const Execution execution{from, to, outcome, "", 1, 1};
    return watch.add({&execution, 1});
  };
  EXPECT_TRUE(add(20, 30, Outcome::oom).empty());
  EXPECT_TRUE(add(10, 20, Outcome::ok).empty());
  EXPECT_TRUE(add(35, 40, Outcome::ok).empty());
  EXPECT_TRUE(add(30, 33, Outcome::thrashed).empty());
  EXPECT_TRUE(add(33, 35, Outcome::unresolved).empty());
  EXPECT_TRUE(add(50, 60, Outcome::thrashed).empty());
  EXPECT_TRUE(add(60, 70, Outcome::ok).empty());
  EXPECT_TRUE(add(40, 50, Outcome::ok).empty()) << "between two ok ones, but nothing of it is oom";
  const std::vector<Hole> holes = add(33, 35, Outcome::oom);
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(holes[0].from, 20);
  EXPECT_EQ(holes[0].to, 35);
  EXPECT_EQ(holes[0].oom_bytes, 12);
  EXPECT_EQ(holes[0].thrashed_bytes, 3);
  EXPECT_EQ(holes[0].safe_budget, 19);
}

TEST(HoleWatch, TellsTheHolesOfTheMapInAnyOrder) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy("DTR", error);
  std::size_t told = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed, 14);
    const FeasibilityMap map = map_by_executions(program, settings, {1, peak_of(program) + 1});
    std::vector<Execution> shuffled = map.executions;
    SplitMix random(seed);
    for (std::size_t i = shuffled.size(); i > 1; --i)
      std::swap(shuffled[i - 1], shuffled[static_cast<std::size_t>(random.between(0, static_cast<Bytes>(i) - 1))]);
    HoleWatch watch;
    std::vector<Hole> holes;
    for (const Execution& execution : shuffled)
      for (const Hole& hole : watch.add({&execution, 1})) holes.push_back(hole);
    std::sort(holes.begin(), holes.end(), [](const Hole& a, const Hole& b) { return a.from < b.from; });
    const std::vector<Hole> wanted = holes_of(segments_of(map));
    ASSERT_EQ(holes.size(), wanted.size()) << seed;
    for (std::size_t i = 0; i < holes.size(); ++i) {
      EXPECT_EQ(holes[i].from, wanted[i].from) << seed;
      EXPECT_EQ(holes[i].to, wanted[i].to) << seed;
      EXPECT_EQ(holes[i].oom_bytes, wanted[i].oom_bytes) << seed;
      EXPECT_EQ(holes[i].thrashed_bytes, wanted[i].thrashed_bytes) << seed;
    }
    told += holes.size();
  }
  EXPECT_GT(told, 5u);
}

}  // namespace
}  // namespace pothole
