// gen:all against the enumeration: its two numbers reach every program, and draw from all alike.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "generators/enumeration.h"
#include "generators/generator.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

Recipe recipe_of(std::int64_t operators, std::int64_t most) {
  Recipe recipe(*find_generator("all"));
  recipe.values.set("operators", operators);
  recipe.values.set("sizes", most);
  recipe.values.set("costs", most);
  return recipe;
}

EnumerationBounds bounds_of(std::int64_t operators, std::int64_t most) {
  return {.operators = static_cast<std::uint32_t>(operators), .size_most = most, .cost_most = most};
}

TEST(AllPrograms, AreEachReachedByOnePairOfNumbers) {
  const Enumeration all(bounds_of(2, 2));
  std::set<std::string> expected, found;
  all.for_each(0, all.program_count(), [&](const Program& program) { expected.insert(native_text(program)); });
  Recipe recipe = recipe_of(2, 2);
  const auto skeletons = static_cast<std::int64_t>(all.skeleton_count());
  const auto values = static_cast<std::int64_t>(all.program_count() / all.skeleton_count());
  for (std::int64_t s = 0; s < skeletons; ++s) {
    for (std::int64_t v = 0; v < values; ++v) {
      recipe.values.set("skeleton", s);
      recipe.values.set("values", v);
      EXPECT_TRUE(found.insert(native_text(program_of(recipe))).second) << text_of(recipe);
    }
  }
  EXPECT_TRUE(found == expected);
  const std::string last = native_text(program_of(recipe));
  recipe.values.set("skeleton", 2 * skeletons - 1);
  recipe.values.set("values", 2 * values - 1);
  EXPECT_EQ(native_text(program_of(recipe)), last);
}

// The numbers of the last program fit in their parameters whatever the bounds, and it is the last of the enumeration.
TEST(AllPrograms, AreReachedToTheLastAtTheLargestBounds) {
  const auto& parameters = find_generator("all")->parameters;
  const auto parameter = [&](std::string_view key) {
    for (const GeneratorParameter& p : parameters)
      if (p.key == key) return p;
    throw std::logic_error("there is no such parameter");
  };
  for (std::int64_t operators = parameter("operators").least; operators <= parameter("operators").most; ++operators) {
    for (const std::int64_t most : {std::int64_t{1}, std::int64_t{6}, parameter("sizes").most}) {
      const Enumeration all(bounds_of(operators, most));
      const std::uint64_t skeletons = all.skeleton_count();
      const ProgramNumber values = all.program_count() / skeletons;
      ASSERT_TRUE(values * skeletons == all.program_count());  // as many for each
      ASSERT_LE(skeletons - 1, static_cast<std::uint64_t>(parameter("skeleton").most));
      ASSERT_TRUE(values - 1 <= static_cast<ProgramNumber>(parameter("values").most)) << operators << " " << most;
      Recipe recipe = recipe_of(operators, most);
      recipe.values.set("skeleton", static_cast<std::int64_t>(skeletons - 1));
      recipe.values.set("values", static_cast<std::int64_t>(values - 1));
      EXPECT_EQ(native_text(program_of(recipe)), native_text(all.program(all.program_count() - 1)));
    }
  }
}

// 192 programs, 100 draws of each expected: a fair draw passes 300 once in a million campaigns.
TEST(AllPrograms, AreDrawnAlike) {
  const Enumeration all(bounds_of(2, 2));
  const auto programs = static_cast<int>(all.program_count());
  RecipePattern pattern{find_generator("all"), {{"operators", 2}, {"sizes", 2}, {"costs", 2}}};
  std::map<std::string, int> drawn;
  for (int i = 0; i < 100 * programs; ++i) {
    SplitMix random(5, static_cast<std::uint64_t>(i));
    ++drawn[native_text(program_of(drawn_recipe(pattern, random)))];
  }
  EXPECT_EQ(static_cast<int>(drawn.size()), programs);
  double chi_square = 0;
  for (const auto& [text, count] : drawn) chi_square += (count - 100) * (count - 100) / 100.0;
  EXPECT_LT(chi_square, 300);
}

}  // namespace
}  // namespace pothole
