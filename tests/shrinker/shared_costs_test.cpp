// All costs at once give what each gives by itself, skeleton by skeleton: no hole is lost, and none invented.
#include "shrinker/shared_costs.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/scores/score_policy.h"
#include "engine/search.h"
#include "shrinker/skeleton_search.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

constexpr const char* kPolicies[] = {"DTR",      "LRU",       "LargestStorage", "NbhdPenalty", "MSPS",
                                     "TwoPhase", "HEStar",    "CostStale",      "ThrashPen",   "DTRUnopt",
                                     "TieAware", "DTRLocal",  "RandomStorage",  "FIFO",        "Belady",
                                     "AbE",      "(c+e)/m/s", "(k+1)*(c+e)/m",  "(a+c)*m/s",   "(n+1)/m"};

RunSettings settings_for(const std::string& text, Dealloc dealloc) {
  RunSettings settings;
  PolicyError error;
  settings.policy = text.starts_with("(") ? configure_score(text, error) : configure_policy(text, error);
  EXPECT_NE(settings.policy.policy, nullptr) << text << ": " << error.what;
  settings.dealloc = dealloc;
  settings.seed = 11;
  return settings;
}

// The same for some skeletons of one number of operators, drawn.
struct Sample {
  std::uint32_t operators;
  Bytes sizes;
  Cost costs;
  Dealloc dealloc;
  std::size_t skeletons;
};

// Codes of costs with a hole, by the exact map of each.
std::set<std::uint32_t> holes_one_by_one(SkeletonPrograms& programs, const RunSettings& settings,
                                         const SizeAssignment& sizes, const CostTable& costs) {
  std::set<std::uint32_t> found;
  for (std::uint32_t code = 0; code < costs.count(costs.operators()); ++code) {
    programs.set(sizes.sizes, {costs.costs(code).begin(), costs.costs(code).begin() + costs.operators()});
    if (smallest_rank(programs.program(), exact_map(programs.program(), settings))) found.insert(code);
  }
  return found;
}

// Most skeletons have no hole whatever is chosen.
bool is_of_interest(Possibilities& possibilities, const SizeTable& sizes, bool reads_budget) {
  const Moment first = Moment::first(possibilities.shape());
  for (const SizeAssignment& a : sizes.assignments())
    for (const BudgetClass& lower : a.classes)
      for (const BudgetClass& higher : a.classes)
        if (lower.from < higher.from && possibilities.can_complete(first, lower.fits) &&
            possibilities.can_fail(first, higher.fits) &&
            (reads_budget || possibilities.can_part(first, lower.fits, higher.fits)))
          return true;
  return false;
}

// Returns how many holes there were.
std::size_t compare(const Sample& sample, const std::string& policy) {
  const RunSettings settings = settings_for(policy, sample.dealloc);
  EXPECT_TRUE(SharedCosts::apply_to(settings)) << policy;
  EnumerationBounds bounds;
  bounds.operators = sample.operators;
  const Enumeration enumeration(bounds);
  const SizeTable sizes(sample.operators, sample.sizes, SharedCosts::read_budget(settings));
  const CostTable costs(sample.operators, sample.costs);
  Possibilities possibilities(sizes.fits());
  SharedCosts shared(settings, costs, possibilities);
  std::mt19937_64 random(sample.operators);
  std::size_t holes = 0;
  for (std::size_t done = 0; done < sample.skeletons;) {
    const Skeleton skeleton = enumeration.skeleton(random() % enumeration.skeleton_count());
    const Shape shape(skeleton, sample.dealloc);
    possibilities.begin(shape, 0);
    if (!is_of_interest(possibilities, sizes, SharedCosts::read_budget(settings))) continue;
    ++done;
    SkeletonPrograms programs(skeleton, bounds), symbolic(skeleton, bounds);
    shared.begin(symbolic.program());
    for (const SizeAssignment& assignment : sizes.assignments()) {
      symbolic.set(assignment.sizes, shared.symbolic_costs());
      const CostSet found = costs.extended(shared.holes(assignment, 100), sample.operators, 100);
      const std::set<std::uint32_t> expected = holes_one_by_one(programs, settings, assignment, costs);
      holes += expected.size();
      EXPECT_EQ(std::set<std::uint32_t>(found.codes.begin(), found.codes.end()), expected)
          << policy << " " << native_text(programs.program());
    }
  }
  return holes;
}

TEST(SharedCosts, FourOperatorsAgainstOneByOne) {
  std::size_t holes = 0;
  for (const char* policy : kPolicies) holes += compare({4, 3, 2, Dealloc::eager, 12}, policy);
  EXPECT_GT(holes, 20u);
}

TEST(SharedCosts, FiveOperatorsAgainstOneByOne) {
  std::size_t holes = 0;
  for (const char* policy : kPolicies) holes += compare({5, 2, 2, Dealloc::eager, 12}, policy);
  EXPECT_GT(holes, 20u);
}

TEST(SharedCosts, SixOperatorsAgainstOneByOne) {
  std::size_t holes = 0;
  for (const char* policy : {"DTR", "NbhdPenalty", "DTRUnopt", "TwoPhase"})
    holes += compare({6, 2, 2, Dealloc::eager, 8}, policy);
  EXPECT_GT(holes, 10u);
}

TEST(SharedCosts, WithoutDeallocationAgainstOneByOne) {
  std::size_t holes = 0;
  for (const char* policy : kPolicies) holes += compare({5, 2, 2, Dealloc::ignore, 8}, policy);
  EXPECT_GT(holes, 0u);
}

TEST(SharedCosts, WhereCostsAreNotShared) {
  for (const char* policy : {"DTREqClass", "TControlInspired"})
    EXPECT_FALSE(SharedCosts::apply_to(settings_for(policy, Dealloc::eager))) << policy;
  EXPECT_FALSE(SharedCosts::apply_to(settings_for("LRU", Dealloc::banish)));
}

TEST(CostTable, GoesOnFromBeginnings) {
  const CostTable costs(3, 4);
  CostSet none;
  none.codes = {0};
  EXPECT_EQ(costs.extended(none, 3, 3).codes.size(), 64u);
  EXPECT_EQ(costs.extended(none, 3, 1).codes.size(), 4u);
  // 4 of one value, 4 * 3 * 3 of two.
  const CostSet two = costs.extended(none, 3, 2);
  EXPECT_EQ(two.codes.size(), 40u);
  for (const std::uint32_t code : two.codes) EXPECT_LE(costs.distinct(code, 3), 2);
  EXPECT_EQ(std::set<std::uint32_t>(two.codes.begin(), two.codes.end()).size(), 40u);
}

TEST(SizeTable, ClassesOfBudgetsAreTheSumsOfSizes) {
  const SizeTable table(3, 3, false);
  ASSERT_EQ(table.assignments().size(), 27u);
  EXPECT_EQ(table.assignments().front().total, 3);
  EXPECT_EQ(table.assignments().back().total, 9);
  for (const SizeAssignment& a : table.assignments()) {
    EXPECT_EQ(a.classes.back().from, a.total);
    for (const BudgetClass& c : a.classes)
      for (std::uint32_t set = 0; set < 8; ++set) {
        Bytes sum = 0;
        for (std::uint32_t t = 0; t < 3; ++t) sum += (set >> t & 1) != 0 ? a.sizes[t] : 0;
        EXPECT_EQ(table.fits()[c.fits] >> set & 1, sum <= c.from);
      }
  }
  const SizeTable every(3, 3, true);
  for (const SizeAssignment& a : every.assignments()) EXPECT_EQ(a.classes.size(), static_cast<std::size_t>(a.total));
}

}  // namespace
}  // namespace pothole
