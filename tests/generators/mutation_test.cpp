// What holds of every mutation of the list.
#include "generators/mutation.h"

#include <gtest/gtest.h>

#include <ctime>

#include "generators/generator.h"
#include "generators/random_program.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

std::string name_of_test(const testing::TestParamInfo<const Mutation*>& info) {
  std::string name(info.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

std::vector<const Mutation*> all_mutations() {
  std::vector<const Mutation*> all;
  for (const Mutation& mutation : mutations()) all.push_back(&mutation);
  return all;
}

class Mutations : public testing::TestWithParam<const Mutation*> {};

INSTANTIATE_TEST_SUITE_P(List, Mutations, testing::ValuesIn(all_mutations()), name_of_test);

TEST_P(Mutations, GiveValidProgramsAndOftenOthers) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Program program = random_program(seed, static_cast<std::int64_t>(1 + seed % 30));
    const Draft other = draft_of(random_program(seed + 1000, 12));
    Draft draft = draft_of(program);
    SplitMix random(seed);
    const bool says_changed = GetParam()->apply(draft, other, random);
    mend(draft);
    BuildError error;
    const auto after = program_of(draft, &error);
    ASSERT_TRUE(after) << "seed " << seed << ": " << error.what;
    const bool is_changed = native_text(*after) != native_text(program);
    ASSERT_TRUE(says_changed || !is_changed) << "seed " << seed;
    changed += is_changed;
  }
  EXPECT_GT(changed, 100);
}

TEST_P(Mutations, AreDeterministicAndCopeWithNothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Draft before = draft_of(random_program(seed, 12));
    Draft a = before, b = before;
    SplitMix first(seed), second(seed);
    GetParam()->apply(a, before, first);
    GetParam()->apply(b, before, second);
    mend(a);
    mend(b);
    ASSERT_EQ(native_text(*program_of(a)), native_text(*program_of(b)));
    Draft empty;
    GetParam()->apply(empty, before, first);
    mend(empty);
    ASSERT_TRUE(program_of(empty));
    a = before;
    GetParam()->apply(a, Draft(), first);
    mend(a);
    ASSERT_TRUE(program_of(a));
  }
}

// As large as the largest recorded logs. One takes milliseconds of processor time; the limit leaves room for
// sanitizers, not for what would make a campaign stand still.
TEST_P(Mutations, TakeLargeLogsInReasonableTime) {
  const auto draft_from = [](const char* text) {
    std::vector<Recipe> read;
    RecipeError error;
    EXPECT_TRUE(read_recipe(text, read, error)) << error.what;
    return draft_of(program_of(read.at(0)));
  };
  const Draft pieces = draft_from("gen:random?operators=8000&seed=6");
  for (const char* text : {"gen:random?operators=8000&seed=5", "gen:chain?layers=1140", "gen:views?operators=8000"}) {
    const Draft large = draft_from(text);
    ASSERT_GE(large.steps.size(), 8000u) << text;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Draft draft = large;
      SplitMix random(seed);
      const std::clock_t start = std::clock();
      GetParam()->apply(draft, pieces, random);
      mend(draft);
      EXPECT_LT(std::clock() - start, 2 * CLOCKS_PER_SEC) << text << ", seed " << seed;
      BuildError error;
      ASSERT_TRUE(program_of(draft, &error)) << text << ", seed " << seed << ": " << error.what;
    }
  }
}

TEST(Mutation, SeveralTogetherMostlyMakeAnotherProgram) {
  int made = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed, 15), other = random_program(seed + 7, 15);
    SplitMix first(seed), second(seed);
    const auto a = mutated(program, other, first, 4), b = mutated(program, other, second, 4);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) continue;
    ++made;
    ASSERT_EQ(native_text(*a), native_text(*b));
  }
  EXPECT_GT(made, 250);
}

}  // namespace
}  // namespace pothole
