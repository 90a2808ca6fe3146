// Properties whose violation is a finding about the policy: a program or policy with it, and one without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/pool_view.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

using testing::HasSubstr;

// t0 and t1 are read by t2: with less than everything, one of them goes and comes back.
Program two_sources() { return plain_program({{1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {0, 1}, {0, 1}}}, {2}); }

Policy policy_of(std::string_view name, Features needs, StorageId (*choose)(PoolView&, const ConfiguredPolicy&)) {
  Policy policy;
  policy.name = name;
  policy.needs = needs;
  policy.choose = choose;
  return policy;
}

RunSettings settings_of(const Policy& policy) {
  RunSettings settings;
  settings.policy.policy = &policy;
  settings.policy.text = policy.name;
  return settings;
}

// Policies of this test, each of which lacks one property.

// The larger of the members, until the clock is past 3: an instant, in unlike units.
StorageId until_an_instant(PoolView& pool, const ConfiguredPolicy&) {
  StorageId best = pool.member(0);
  for (std::uint32_t i = 0; i < pool.size(); ++i) {
    const Candidate c = pool.candidate(pool.member(i), Features{});
    const bool late = c.last_access + c.staleness > 3;
    if ((pool.size_of(pool.member(i)) > pool.size_of(best)) != late) best = pool.member(i);
  }
  return best;
}

// The first member below 14 bytes of budget, else the last.
StorageId by_absolute_bytes(PoolView& pool, const ConfiguredPolicy&) {
  return pool.member(pool.opaque_budget() < 14 ? 0 : pool.size() - 1);
}

// By the last bit of the root's number.
StorageId by_label(PoolView& pool, const ConfiguredPolicy&) {
  for (std::uint32_t i = 0; i < pool.size(); ++i)
    if (pool.root(pool.member(i)) % 2 == 0) return pool.member(i);
  return pool.member(0);
}

TEST(NoHole, HoldsWithoutOne) {
  const Verdict verdict = verdict_on(five_operators(), settings_with("LargestStorage"), "no-hole");
  EXPECT_EQ(verdict.ruling, Ruling::holds);
  EXPECT_FALSE(verdict.coverage.sampled);
  EXPECT_EQ(verdict.coverage.checked, 7u);
}

TEST(NoHole, NamesTheFirstFailureAndItsPlace) {
  const Verdict verdict = verdict_on(five_operators(), settings_with("DTR"), "no-hole");
  ASSERT_EQ(shown(verdict), "hole at 4, budgets 12 13 16");
  EXPECT_EQ(verdict.violation->signature,
            (Signature{.property = "no-hole", .policy = "DTR", .kind = "hole", .place = 4}));
  EXPECT_EQ(verdict.violation->text, "completes with 12, fails with 13 at operator 4 (join), completes again with 16");
}

TEST(NoHole, IsUnresolvedWhereBudgetsAre) {
  CheckPlan plan = whole_plan(five_operators());
  plan.steps_max = 6;
  const Verdict verdict = verdict_on(five_operators(), settings_with("DTR"), "no-hole", plan);
  EXPECT_EQ(verdict.ruling, Ruling::unresolved);
  EXPECT_EQ(verdict.why, kStepLimit);
}

TEST(NoHole, BelievesTheMapThatIsGiven) {
  FeasibilityMap map;
  map.from = 1;
  map.to = 19;
  map.executions = {{1, 4, Outcome::ok, {}, 22, 0}, {4, 7, Outcome::oom, {}, 0, 0}, {7, 19, Outcome::ok, {}, 22, 0}};
  CheckPlan plan = whole_plan(five_operators());
  plan.map = &map;
  const Verdict verdict = verdict_on(five_operators(), settings_with("LargestStorage"), "no-hole", plan);
  EXPECT_THAT(shown(verdict), HasSubstr("budgets 3 4 7"));
}

TEST(NoHole, IsUnresolvedOfALargeProgramThatIsOnlySampled) {
  const Policy policy = policy_of("AbsoluteBytes", Feature::opaque, by_absolute_bytes);
  const Program program = plain_program({{1, 6000, {}, {}}, {1, 6000, {}, {}}}, {});
  const Verdict verdict = verdict_on(program, settings_of(policy), "no-hole");
  EXPECT_EQ(verdict.ruling, Ruling::unresolved);
  EXPECT_EQ(verdict.why, "the policy reads the budget itself: only a sample of budgets was run");
  EXPECT_TRUE(verdict.coverage.sampled);
  EXPECT_EQ(verdict_on(program, settings_with("DTR"), "no-hole").ruling, Ruling::holds);
  // Three executions are fewer than the sample would have.
  EXPECT_FALSE(verdict_on(program, settings_with("DTR"), "resident").coverage.sampled);
  EXPECT_TRUE(verdict_on(program, settings_of(policy), "resident").coverage.sampled);
}

TEST(NoCostInversion, HoldsWhereMoreMemoryIsNeverSlower) {
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("LargestStorage"), "no-cost-inversion")), "holds");
}

TEST(NoCostInversion, NamesTheFirstBudgetThatCostsMore) {
  const Verdict verdict = verdict_on(five_operators(), settings_with("DTR"), "no-cost-inversion");
  EXPECT_EQ(shown(verdict), "cost-inversion, budgets 12 16");
  EXPECT_EQ(verdict.violation->text, "overhead 1.68182 with 12, 1.72727 with 16");
}

TEST(NoCostInversion, DoesNotApplyWithoutCompute) {
  const Program program = plain_program({{0, 1, {}, {}}, {0, 1, {0}, {}}}, {1});
  EXPECT_EQ(verdict_on(program, settings_with("DTR"), "no-cost-inversion").ruling, Ruling::not_applicable);
}

TEST(Inclusion, HoldsWhereNothingIsRematerialized) {
  // A chain whose tensors go one after the other.
  const Program program = plain_program({{1, 1, {}, {}}, {1, 1, {0}, {0}}, {1, 1, {1}, {1}}}, {2});
  for (const Policy& policy : policies())
    EXPECT_EQ(shown(verdict_on(program, settings_with(std::string(policy.name)), "inclusion")), "holds") << policy.name;
}

TEST(Inclusion, OfWhatIsHeldIsNamedFirst) {
  // With 2 bytes t0 (2 bytes) is evicted for t1, and t1 fits beside t2; with 3 t0 stays for t2's sake to evict t1.
  const Program program = plain_program({{1, 2, {}, {}}, {1, 1, {}, {}}, {1, 1, {}, {}}}, {0, 1, 2});
  const Verdict verdict = verdict_on(program, settings_with("AbLocal"), "inclusion");
  EXPECT_EQ(shown(verdict), "held at 2, budgets 2 3, storages 1");
  EXPECT_EQ(verdict.violation->text, "after operator 2, t1 is resident with 2 and not with 3");
}

TEST(Inclusion, OfWhatWasReleasedIsToldApart) {
  // t1 is an output. With 2 bytes it is evicted for t2, and brings its released argument back.
  const Program program = plain_program({{1, 1, {}, {}}, {1, 1, {0}, {}}, {1, 1, {0}, {0, 2}}}, {1});
  const Verdict verdict = verdict_on(program, settings_with("LRU"), "inclusion");
  EXPECT_EQ(shown(verdict), "released at 3, budgets 2 3, storages 0");
  EXPECT_EQ(verdict.violation->text, "after bringing back outputs, released t0 is resident with 2 and not with 3");
}

TEST(Inclusion, NeedsTwoExecutions) {
  const Program program = two_sources();
  CheckPlan plan;
  plan.range = {3, 10};
  EXPECT_EQ(verdict_on(program, settings_with("DTR"), "inclusion", plan).ruling, Ruling::not_applicable);
}

TEST(Padding, IsNotOfAPolicyThatReadsAbsoluteBytes) {
  const Policy policy = policy_of("AbsoluteBytes", Feature::opaque, by_absolute_bytes);
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("TwoPhase"), "padding")), "holds");
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_of(policy), "padding")),
            "padding at 3, budgets 10, storages 2");
}

TEST(Padding, DoesNotApplyToWhatIsTooLargeAlready) {
  const Program program = plain_program({{1, kLargestQuantity, {}, {}}}, {0});
  CheckPlan plan;
  plan.range = {kLargestQuantity, kLargestQuantity + 1};
  EXPECT_EQ(verdict_on(program, settings_with("DTR"), "padding", plan).ruling, Ruling::not_applicable);
}

TEST(Scaling, IsNotOfAPolicyThatComparesTimeWithAConstant) {
  const Policy policy = policy_of("Instant", Features(), until_an_instant);
  const Program program =
      plain_program({{1, 3, {}, {}}, {1, 1, {}, {}}, {1, 2, {}, {}}, {1, 1, {}, {}}, {1, 2, {0, 1}, {}}}, {4});
  EXPECT_EQ(shown(verdict_on(program, settings_with("DTR"), "scaling")), "holds");
  EXPECT_EQ(shown(verdict_on(program, settings_of(policy), "scaling")), "costs at 2, budgets 4, storages 0");
}

TEST(Scaling, IsNotOfAPolicyThatReadsAbsoluteBytes) {
  const Policy policy = policy_of("AbsoluteBytes", Feature::opaque, by_absolute_bytes);
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_of(policy), "scaling")), "sizes at 3, budgets 10, storages 2");
}

// Equal scores that three times as much rounds apart: no decision of exact scores is owed to that.
TEST(Scaling, ComparesExactlyAndByThree) {
  int with_three = 0;
  CheckPlan plan = whole_plan(five_operators());
  plan.run = [&](const Program& p, const RunSettings& settings, Bytes budget, const RunOptions& options) {
    const bool other =
        p.total_size() != five_operators().total_size() || p.total_cost() != five_operators().total_cost();
    EXPECT_TRUE(!other || settings.comparison == Comparison::exact);
    with_three += p.total_size() == 3 * five_operators().total_size();
    return run(p, settings, budget, options);
  };
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("DTR"), "scaling", plan)), "holds");
  EXPECT_GT(with_three, 3);
}

TEST(Scaling, DoesNotApplyToSumsThatWouldPassTheLimit) {
  const Program program = plain_program({{kLargestQuantity, kLargestQuantity, {}, {}}}, {0});
  CheckPlan plan;
  plan.range = {kLargestQuantity, kLargestQuantity + 1};
  EXPECT_EQ(verdict_on(program, settings_with("DTR"), "scaling", plan).ruling, Ruling::not_applicable);
}

TEST(UnusedTensor, IsNotOfAPolicyThatReadsLabels) {
  const Policy policy = policy_of("Label", Features(), by_label);
  // What is made after the middle of the trace has another number there.
  const Program program = plain_program(
      {{1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {}, {}}}, {0, 1, 2, 3});
  EXPECT_EQ(shown(verdict_on(program, settings_with("DTR"), "unused-tensor")), "holds");
  EXPECT_EQ(shown(verdict_on(program, settings_of(policy), "unused-tensor")),
            "unused-tensor at 4, budgets 2, storages 1");
}

TEST(UnusedTensor, DoesNotApplyToDrawsFromAPoolThatKeepsIt) {
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("RandomStorage"), "unused-tensor")), "holds");
  EXPECT_EQ(verdict_on(five_operators(), settings_with("RandomStorage", Dealloc::ignore), "unused-tensor").ruling,
            Ruling::not_applicable);
}

}  // namespace
}  // namespace pothole
