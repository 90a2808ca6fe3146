// Whatever an execution of the engine does is among what choices can bring about, and with all choices tried, nothing
// else is.
#include "shrinker/possibilities.h"

#include <gtest/gtest.h>

#include <random>

#include "shrinker/size_table.h"

namespace pothole {
namespace {

RunSettings random_victims(Dealloc dealloc, std::uint64_t seed) {
  RunSettings settings;
  PolicyError error;
  settings.policy = configure_policy("RandomStorage", error);
  settings.dealloc = dealloc;
  settings.seed = seed;
  return settings;
}

// Drawn skeletons, sizes and budgets; for each, executions with victims drawn.
void compare(std::uint32_t operators, Dealloc dealloc, int programs, std::uint64_t seeds) {
  EnumerationBounds bounds;
  bounds.operators = operators;
  const Enumeration enumeration(bounds);
  const SizeTable sizes(operators, 4, false);
  Possibilities possibilities(sizes.fits());
  std::mt19937_64 random(operators);
  int both = 0;
  for (int i = 0; i < programs; ++i) {
    const Skeleton skeleton = enumeration.skeleton(random() % enumeration.skeleton_count());
    const SizeAssignment& assignment = sizes.assignments()[random() % sizes.assignments().size()];
    const BudgetClass budget = assignment.classes[random() % assignment.classes.size()];
    const Shape shape(skeleton, dealloc);
    possibilities.begin(shape, 0);
    SkeletonPrograms one(skeleton, bounds);
    one.set(assignment.sizes, std::vector<Cost>(operators, 1));
    bool completes = false, fails = false;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Outcome outcome = run(one.program(), random_victims(dealloc, seed), budget.from).outcome;
      completes = completes || outcome == Outcome::ok;
      fails = fails || outcome == Outcome::oom;
    }
    both += completes && fails;
    EXPECT_EQ(possibilities.can_complete(Moment::first(shape), budget.fits), completes);
    EXPECT_EQ(possibilities.can_fail(Moment::first(shape), budget.fits), fails);
  }
  EXPECT_GT(both, 0);
}

TEST(Possibilities, FourOperatorsAgainstDrawnVictims) { compare(4, Dealloc::eager, 3000, 100); }
TEST(Possibilities, FiveOperatorsAgainstDrawnVictims) { compare(5, Dealloc::eager, 2000, 200); }
TEST(Possibilities, WithoutDeallocationAgainstDrawnVictims) { compare(5, Dealloc::ignore, 1000, 300); }

TEST(Possibilities, FailuresCountFromAPlaceOn) {
  // Two operators of size 1: with budget 0 the first fails.
  Skeleton skeleton;
  skeleton.steps.resize(2);
  for (Skeleton::Step& step : skeleton.steps) step.outputs = {Skeleton::kFresh};
  const Shape shape(skeleton, Dealloc::eager);
  const std::vector<Fits> nothing_fits = {1};
  Possibilities possibilities(nothing_fits);
  possibilities.begin(shape, 0);
  EXPECT_TRUE(possibilities.can_fail(Moment::first(shape), 0));
  possibilities.begin(shape, 1);
  EXPECT_FALSE(possibilities.can_fail(Moment::first(shape), 0));
}

// Policies that do not read the budget; sizes up to 6, all costs.
TEST(Possibilities, WithoutOutputsNoPolicyHasAHoleInFourOperators) {
  for (std::uint32_t operators = 1; operators <= 4; ++operators) {
    EnumerationBounds bounds;
    bounds.operators = operators;
    const Enumeration enumeration(bounds);
    const SizeTable sizes(operators, 6, false);
    Possibilities possibilities(sizes.fits());
    enumeration.for_each_skeleton(0, enumeration.skeleton_count(), [&](const Skeleton& skeleton) {
      const Shape shape(skeleton, Dealloc::eager);
      if (shape.pinned != 0) return;
      possibilities.begin(shape, operators - 1);
      const Moment first = Moment::first(shape);
      for (const SizeAssignment& a : sizes.assignments())
        for (std::size_t i = 0; i < a.classes.size(); ++i)
          for (std::size_t j = i + 1; j < a.classes.size(); ++j)
            ASSERT_FALSE(possibilities.can_fail(first, a.classes[j].fits) &&
                         possibilities.can_complete(first, a.classes[i].fits) &&
                         possibilities.can_part(first, a.classes[i].fits, a.classes[j].fits));
    });
  }
}

TEST(AnswerTable, KeepsWhatItIsGivenUntilCleared) {
  AnswerTable table;
  for (int round = 0; round < 3; ++round) {
    table.clear();
    for (std::uint64_t i = 0; i < 5000; ++i) {
      EXPECT_EQ(table.find(i, i % 7), nullptr);
      table.keep(i, i % 7, i % 3 == 0);
    }
    for (std::uint64_t i = 0; i < 5000; ++i) {
      ASSERT_NE(table.find(i, i % 7), nullptr);
      EXPECT_EQ(*table.find(i, i % 7), i % 3 == 0);
      EXPECT_EQ(table.find(i, 8), nullptr);
    }
  }
}

}  // namespace
}  // namespace pothole
