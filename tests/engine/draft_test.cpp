// Drafts: from a program and back, and whatever is done to one, mending makes it a program.
#include "engine/draft.h"

#include <gtest/gtest.h>

#include "engine/run.h"
#include "generators/random_program.h"
#include "tests/support/native_text.h"
#include "tests/support/same_program.h"

namespace pothole {
namespace {

TEST(Draft, OfAProgramMakesTheSameProgram) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Program program = random_program(seed, static_cast<std::int64_t>(1 + seed % 40));
    const auto again = program_of(draft_of(program));
    ASSERT_TRUE(again);
    ASSERT_TRUE(same_program(*again, program)) << "seed " << seed;
  }
}

TEST(Draft, TheCanonicalFormForgetsNamesAlone) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = random_program(seed, static_cast<std::int64_t>(1 + seed % 30));
    Draft draft = draft_of(program);
    for (Draft::Tensor& tensor : draft.tensors) tensor.name = "x" + std::to_string(seed);
    for (Draft::Step& step : draft.steps) step.name = "y";
    const Program form = canonical(program);
    ASSERT_EQ(native_text(canonical(*program_of(draft))), native_text(form)) << "seed " << seed;
    ASSERT_EQ(native_text(canonical(form)), native_text(form)) << "seed " << seed;
    ASSERT_TRUE(same_program(form, canonical(form)));
    ASSERT_EQ(form.commands().size(), program.commands().size());
    ASSERT_EQ(peak_of(form), peak_of(program)) << "seed " << seed;
  }
}

TEST(Draft, OfAnythingIsValidOnceMended) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SplitMix random(seed);
    Draft draft = draft_of(random_program(seed, 20));
    const auto any_tensor = [&] { return static_cast<TensorId>(random.between(0, 60)); };
    for (int edit = 0; edit < 12 && !draft.steps.empty(); ++edit) {
      Draft::Step& step = draft.steps[random.index_below(draft.steps.size())];
      switch (random.between(0, 6)) {
        case 0:
          step.kind = static_cast<Draft::Step::Kind>(random.between(0, 3));
          break;
        case 1:
          step.arguments.push_back(any_tensor());
          break;
        case 2:
          step.outputs.push_back(any_tensor());
          break;
        case 3:
          step.tensor = any_tensor();
          break;
        case 4:
          draft.pins.push_back(any_tensor());
          break;
        case 5:
          draft.tensors[random.index_below(draft.tensors.size())].alias_of = any_tensor();
          break;
        default:
          std::swap(step, draft.steps[random.index_below(draft.steps.size())]);
      }
    }
    // Sums of large sizes may pass the limit where storages are told apart; only that is left to refuse.
    for (Draft::Tensor& tensor : draft.tensors) tensor.size %= 1 << 20;
    mend(draft);
    BuildError error;
    ASSERT_TRUE(program_of(draft, &error)) << "seed " << seed << ": " << error.what;
  }
}

TEST(Draft, MendingChangesNothingThatIsWhole) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = random_program(seed, 25);
    Draft draft = draft_of(program);
    mend(draft);
    ASSERT_EQ(native_text(*program_of(draft)), native_text(program)) << "seed " << seed;
  }
}

TEST(Draft, SaysWhatIsWrong) {
  Draft draft;
  draft.tensors.resize(1);
  Draft::Step step;
  step.arguments = {0};
  step.outputs = {0};
  draft.steps.push_back(step);
  BuildError error;
  EXPECT_FALSE(program_of(draft, &error));
  EXPECT_EQ(error.what, "nothing has made tensor 0");
}

}  // namespace
}  // namespace pothole
