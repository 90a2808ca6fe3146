// The table shows the decisions that were made, by the scores that made them.
#include "engine/explanation/decision_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/search.h"
#include "tests/support/any_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

TEST(DecisionTable, TheVictimHasTheLeastScore) {
  std::size_t scored = 0;
  const std::set<std::string_view> has_rules = {"TwoPhase", "TieAware", "TControlInspired"};
  for (const Policy& policy : policies()) {
    const RunSettings settings = settings_with(std::string(policy.name));
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Program program = random_program(seed, 15);
      const Bytes budget = peak_of(program) * 3 / 5;
      RunOptions options;
      options.record_victims = true;
      const RunResult result = run(program, settings, budget, options);
      DecisionRange range{0, std::numeric_limits<std::uint32_t>::max(), {}};
      for (StorageId s = 0; s < program.storages().size(); ++s) range.tracked.push_back(s);
      const DecisionTable table = decisions_of(program, settings, budget, range);
      ASSERT_EQ(table.rows.size(), result.victims.size()) << policy.name;
      EXPECT_FALSE(table.cut);
      for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const DecisionRow& row = table.rows[i];
        ASSERT_EQ(program.storages()[row.victim].root, result.victims[i]) << policy.name;
        ASSERT_EQ(row.score.has_value(), policy.rank != nullptr) << policy.name;
        ASSERT_GT(row.scene.shortfall(), 0);
        if (!row.score) continue;
        ++scored;
        ASSERT_TRUE(row.tracked[row.victim].in_pool);
        ASSERT_EQ(row.tracked.size(), program.storages().size());
        ASSERT_TRUE(std::is_sorted(row.lowest.begin(), row.lowest.end(),
                                   [](const CandidateRow& a, const CandidateRow& b) { return a.score < b.score; }));
        // These have rules beside their scores.
        if (has_rules.contains(policy.name)) continue;
        EXPECT_EQ(row.lowest.front().storage, row.victim) << policy.name << " " << seed;
        ASSERT_EQ(row.lowest.front().score, *row.score);
        ASSERT_EQ(row.tracked[row.victim].rank, 1u);
      }
    }
  }
  EXPECT_GT(scored, 1000u);
}

TEST(DecisionTable, KeepsToItsRangeAndSaysThatItIsCut) {
  const Program program = long_program(3);
  const RunSettings settings = settings_with("DTR");
  const Bytes budget = peak_of(program) / 2;
  const DecisionTable whole = decisions_of(program, settings, budget, {100, 200, {}});
  ASSERT_GT(whole.rows.size(), 3u);
  for (const DecisionRow& row : whole.rows) {
    EXPECT_GE(row.scene.place, 100u);
    EXPECT_LT(row.scene.place, 200u);
    EXPECT_LE(row.lowest.size(), DecisionRange::kLowest);
  }
  const DecisionTable cut = decisions_of(program, settings, budget, {100, 200, {}, 3});
  EXPECT_EQ(cut.rows.size(), 3u);
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(cut.rows[2].victim, whole.rows[2].victim);
}

}  // namespace
}  // namespace pothole
