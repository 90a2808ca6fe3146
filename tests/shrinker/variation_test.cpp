// The ranges are those that trying every value finds.
#include "shrinker/variation.h"

#include <gtest/gtest.h>

#include "engine/draft.h"
#include "shrinker/oracle.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

constexpr Witness kWitness{12, 13, 16};

Variation varied(std::int64_t span) {
  VariationLimits limits;
  limits.steps_max = 1'000'000;
  limits.span = span;
  return variation_of(five_operators(), settings_with("DTR"), kWitness, limits);
}

Program with(const VariedValue& v, std::int64_t value) {
  Draft draft = draft_of(five_operators());
  if (v.quantity == Quantity::size)
    draft.tensors[v.of].size = value;
  else
    draft.steps[makers(draft)[v.of]].cost = value;
  return *program_of(draft);
}

bool keeps_budgets(const Program& program) {
  const RunSettings settings = settings_with("DTR");
  return run(program, settings, kWitness.ok).outcome == Outcome::ok &&
         run(program, settings, kWitness.oom).outcome == Outcome::oom &&
         run(program, settings, kWitness.ok_above).outcome == Outcome::ok;
}

bool has_hole(const Program& program) {
  OracleSettings settings;
  settings.run = settings_with("DTR");
  return Oracle(settings).ask(program, {}).kind == Answer::Kind::hole;
}

TEST(Variation, EveryValueInARangeKeepsTheHoleAndTheNextDoesNot) {
  const Variation variation = varied(30);
  EXPECT_EQ(variation.values.size(), 10u) << "five sizes and five costs";
  for (const VariedValue& v : variation.values) {
    for (const auto& [range, holds] : {std::pair(&v.same_budgets, &keeps_budgets), std::pair(&v.any_hole, &has_hole)}) {
      ASSERT_LE(range->least, v.value);
      ASSERT_GE(range->most, v.value);
      for (std::int64_t value = range->least; value <= range->most; ++value)
        EXPECT_TRUE(holds(with(v, value))) << v.of << " " << value;
      if (!range->least_is_open && range->least > 0) {
        EXPECT_FALSE(holds(with(v, range->least - 1))) << v.of;
      }
      if (!range->most_is_open) {
        EXPECT_FALSE(holds(with(v, range->most + 1))) << v.of;
      }
    }
  }
}

TEST(Variation, AnEndThatWasNotReachedIsOpen) {
  const Variation variation = varied(1);
  bool open = false;
  for (const VariedValue& v : variation.values) {
    EXPECT_LE(v.any_hole.most, v.value + 1);
    open = open || v.any_hole.most_is_open;
    if (v.any_hole.most == v.value + 1) {
      EXPECT_TRUE(v.any_hole.most_is_open);
    }
  }
  EXPECT_TRUE(open);
}

TEST(Variation, BudgetsVaryWithinTheirSegments) {
  const Variation variation = varied(1);
  EXPECT_EQ(variation.oom.least, 13);
  EXPECT_EQ(variation.oom.most, 15);
  EXPECT_FALSE(variation.oom.least_is_open);
  EXPECT_FALSE(variation.oom.most_is_open);
  EXPECT_EQ(variation.ok.most, 12);
  EXPECT_EQ(variation.ok_above.least, 16);
}

}  // namespace
}  // namespace pothole
