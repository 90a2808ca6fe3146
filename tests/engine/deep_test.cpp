// Long chains: neither their length nor the depth of a rematerialization is bounded by a call stack.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "engine/program_builder.h"
#include "engine/run.h"

namespace pothole {
namespace {

constexpr TensorId kLength = 100'000;

void check(const std::optional<BuildError>& error) {
  if (error) throw std::logic_error(error->what);
}

// x0 -> x1 -> ... , each of one byte and cost 1 and released once the next is made.
ProgramBuilder released_chain(TensorId length) {
  ProgramBuilder builder;
  check(builder.add_operator("f", 1, {}, {{1, -1, ""}}));
  for (TensorId t = 1; t < length; ++t) {
    check(builder.add_operator("f", 1, {t - 1}, {{1, -1, ""}}));
    check(builder.release(t - 1));
  }
  return builder;
}

// The same, and the last is released and then used again: everything has to be brought back first.
Program chain_used_after_release(TensorId length) {
  ProgramBuilder builder = released_chain(length);
  check(builder.release(length - 1));
  check(builder.add_operator("f", 1, {length - 1}, {{1, -1, ""}}));
  return builder.finish();
}

// x0 -> x1 -> ... , none released, so that what does not fit must be evicted.
Program kept_chain(TensorId length) {
  ProgramBuilder builder;
  check(builder.add_operator("f", 1, {}, {{1, -1, ""}}));
  for (TensorId t = 1; t < length; ++t) check(builder.add_operator("f", 1, {t - 1}, {{1, -1, ""}}));
  check(builder.pin(length / 2));
  return builder.finish();
}

RunResult run_under(const std::string& policy, const Program& program, Bytes budget) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::logic_error(error.what);
  return run(program, settings, budget);
}

TEST(Deep, AChainOf100000OperatorsRuns) {
  const Program program = released_chain(kLength).finish();
  ASSERT_EQ(program.operators().size(), kLength);
  EXPECT_EQ(peak_of(program), 2);
  for (const char* policy : {"LRU", "DTRLocal", "MSPS"}) {
    EXPECT_EQ(run_under(policy, program, 2).outcome, Outcome::ok) << policy;
    EXPECT_EQ(run_under(policy, program, 1).outcome, Outcome::oom) << policy;
  }
}

TEST(Deep, ARematerializationNests100000Deep) {
  const Program program = chain_used_after_release(kLength);
  EXPECT_EQ(peak_of(program), kLength + 1);
  const RunResult roomy = run_under("LRU", program, kLength + 1);
  EXPECT_EQ(roomy.outcome, Outcome::ok);
  EXPECT_EQ(roomy.measures.max_depth, kLength + 1);
  EXPECT_EQ(roomy.measures.remats, kLength);
  EXPECT_EQ(roomy.measures.remat_compute, kLength);
  // Two bytes are enough if what was brought back goes as soon as the next is there.
  const RunResult tight = run_under("LRU", program, 2);
  EXPECT_EQ(tight.outcome, Outcome::ok);
  EXPECT_EQ(tight.measures.max_depth, kLength + 1);
  EXPECT_EQ(tight.measures.evictions_by_policy, kLength - 1);
  const RunResult none = run_under("LRU", program, 1);
  EXPECT_EQ(none.outcome, Outcome::oom);
}

// Under policies that sum evicted neighbourhoods a chain takes time quadratic in its length, so theirs
// are shorter.
TEST(Deep, PoliciesWithNeighbourhoodsNestAsDeepAsTheChain) {
  constexpr TensorId kShort = 5'000;
  const Program program = chain_used_after_release(kShort);
  for (const char* policy : {"DTR", "DTREqClass", "DTRUnopt", "TwoPhase"})
    for (const Bytes budget : {Bytes{2}, Bytes{3}, Bytes{kShort + 1}}) {
      const RunResult result = run_under(policy, program, budget);
      EXPECT_EQ(result.outcome, Outcome::ok) << policy << ", " << budget;
      EXPECT_EQ(result.measures.max_depth, kShort + 1) << policy << ", " << budget;
    }
}

TEST(Deep, AKeptChainOf100000OperatorsEndsInSomeOutcomeAtEveryBudget) {
  const Program program = kept_chain(kLength);
  EXPECT_EQ(run_under("LRU", program, kLength).outcome, Outcome::ok);
  const RunResult small = run_under("LRU", program, 10);
  EXPECT_EQ(small.outcome, Outcome::ok);
  EXPECT_EQ(small.measures.max_depth, kLength / 2 + 1);
  EXPECT_EQ(run_under("LRU", program, 2).outcome, Outcome::ok);
  EXPECT_EQ(run_under("LRU", program, 1).outcome, Outcome::oom);
}

}  // namespace
}  // namespace pothole
