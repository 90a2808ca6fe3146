// What holds of every mutation of the list.
#include "generators/mutation.h"

#include <gtest/gtest.h>

#include <chrono>

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

// As large as the largest recorded logs. Linear work takes milliseconds; the limit leaves room for a busy machine and
// sanitizers, and none for work that grows with the square.
TEST_P(Mutations, TakeALargeLogInTimeLinearInIt) {
  const Program program = random_program(5, 8000), other = random_program(6, 8000);
  const Draft pieces = draft_of(other);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Draft draft = draft_of(program);
    SplitMix random(seed);
    const auto start = std::chrono::steady_clock::now();
    GetParam()->apply(draft, pieces, random);
    mend(draft);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), 5.0) << "seed " << seed;
    BuildError error;
    ASSERT_TRUE(program_of(draft, &error)) << "seed " << seed << ": " << error.what;
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
