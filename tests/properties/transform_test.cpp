// Changed programs are the programs that they should be.
#include "properties/transform.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engine/program_builder.h"
#include "tests/support/any_program.h"
#include "tests/support/same_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

TEST(Transform, ByNothingIsTheSameProgram) {
  EXPECT_TRUE(rc::check("times one is a copy", [] {
    const Program program = (*any_program_seed(30)).program();
    const auto result = same_program(*with_sizes_times(program, 1), program);
    if (!result) RC_FAIL(std::string(result.message()));
  }));
}

TEST(Transform, ThereAndBackIsTheSameProgram) {
  EXPECT_TRUE(rc::check("names and sums", [] {
    const Program program = (*any_program_seed(30)).program();
    const std::optional<Program> larger = with_sizes_times(program, 4), longer = with_costs_times(program, 4);
    RC_ASSERT(larger->total_size() == 4 * program.total_size() && larger->total_cost() == program.total_cost());
    RC_ASSERT(longer->total_cost() == 4 * program.total_cost() && longer->total_size() == program.total_size());
    RC_ASSERT(larger->constant_bytes() == 4 * program.constant_bytes());
    const std::optional<Program> other = renamed(program);
    for (TensorId t = 0; t < program.tensors().size(); ++t) RC_ASSERT(other->tensor_name(t) != program.tensor_name(t));
    RC_ASSERT(other->pins() == program.pins());
  }));
}

TEST(Transform, PaddingComesFirstAndIsPinned) {
  const Extended padded = with_padding(five_operators(), 1000).value();
  EXPECT_EQ(padded.added, 0u);
  EXPECT_EQ(padded.program.constant_bytes(), five_operators().constant_bytes() + 1000);
  EXPECT_EQ(padded.program.operators().size(), five_operators().operators().size() + 1);
  EXPECT_TRUE(padded.program.operators()[0].constant);
  EXPECT_EQ(peak_of(padded.program), peak_of(five_operators()) + 1000);
}

TEST(Transform, AnUnusedTensorIsMadeAndReleasedWhereItIsWanted) {
  for (OperatorId before = 0; before <= five_operators().operators().size(); ++before) {
    const auto [program, added] = with_unused_tensor(five_operators(), before).value();
    EXPECT_EQ(program.tensors()[added].op, before);
    EXPECT_EQ(program.tensors()[added].size, 0);
    EXPECT_EQ(program.total_cost(), five_operators().total_cost());
    std::size_t found = 0;
    for (const Command& c : program.commands())
      found += c.kind == Command::Kind::release && c.id == added && c.last_reference;
    EXPECT_EQ(found, 1u);
    for (OperatorId op = 0; op < program.operators().size(); ++op)
      for (const TensorId a : program.arguments(op)) EXPECT_NE(a, added);
  }
}

TEST(Transform, RefusesSumsBeyondTheLimit) {
  const Program program = plain_program({{kLargestQuantity / 2, kLargestQuantity / 2, {}, {}}}, {});
  EXPECT_TRUE(with_sizes_times(program, 2).has_value());
  EXPECT_FALSE(with_sizes_times(program, 3).has_value());
  EXPECT_FALSE(with_costs_times(program, 4).has_value());
  EXPECT_FALSE(with_padding(program, kLargestQuantity / 2 + 1).has_value());
}

TEST(Transform, DecisionsLoseWhatWasAdded) {
  using Kind = Decision::Kind;
  const std::vector<Decision> with = {
      {Kind::computed, 0}, {Kind::computed, 1}, {Kind::released, 1}, {Kind::evicted, 2}};
  const std::vector<Decision> without = {{Kind::computed, 0}, {Kind::evicted, 1}};
  EXPECT_EQ(decisions_without(1, with), without);
}

}  // namespace
}  // namespace pothole
