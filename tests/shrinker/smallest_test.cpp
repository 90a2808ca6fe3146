// What the search leaves out has no hole: against the exact maps of all programs.
#include "shrinker/smallest.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/program_builder.h"
#include "engine/scores/score_policy.h"
#include "engine/search.h"
#include "tests/model/slow_model.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

RunSettings settings_for(const std::string& text, Dealloc dealloc = Dealloc::eager) {
  RunSettings settings;
  PolicyError error;
  settings.policy = text.starts_with("(") ? configure_score(text, error) : configure_policy(text, error);
  EXPECT_NE(settings.policy.policy, nullptr) << text << ": " << error.what;
  settings.dealloc = dealloc;
  settings.seed = 5;
  return settings;
}

// By exact maps, one program after the other.
std::optional<Rank> smallest_of_all(const RunSettings& settings, const SmallestBounds& bounds) {
  std::optional<Rank> smallest;
  for (std::uint32_t operators = 1; operators <= bounds.operators && !smallest; ++operators) {
    const Enumeration all(enumeration_bounds(bounds, operators));
    all.for_each(0, all.program_count(), [&](const Program& program) {
      if (!bounds.outputs && !program.pins().empty()) return;
      std::optional<Rank> rank = smallest_rank(program, exact_map(program, settings));
      if (rank && (!smallest || *rank < *smallest)) smallest = std::move(rank);
    });
  }
  return smallest;
}

std::optional<Rank> found(const RunSettings& settings, const SmallestBounds& bounds, unsigned threads = 1) {
  SmallestSearch search;
  search.threads = threads;
  const Smallest result = smallest_hole(settings, bounds, search);
  EXPECT_TRUE(result.complete);
  if (!result.progress.best) return {};
  return result.progress.best->rank;
}

SmallestBounds bounds_of(std::uint32_t operators, Bytes sizes, Cost costs, bool late_uses = false) {
  SmallestBounds bounds;
  bounds.operators = operators;
  bounds.size_most = sizes;
  bounds.cost_most = costs;
  bounds.late_uses = late_uses;
  return bounds;
}

TEST(Smallest, ThreeOperatorsAgainstAllPrograms) {
  for (const char* policy : {"DTR", "LRU", "LargestStorage", "NbhdPenalty", "(c + e) / (m * s)", "TwoPhase"})
    EXPECT_EQ(found(settings_for(policy), bounds_of(3, 3, 2, true)),
              smallest_of_all(settings_for(policy), bounds_of(3, 3, 2, true)))
        << policy;
}

TEST(Smallest, FourOperatorsAgainstAllPrograms) {
  SmallestBounds bounds = bounds_of(4, 2, 2);
  bounds.arguments = EnumerationBounds::Arguments::sets;
  std::size_t holes = 0;
  for (const char* policy : {"DTR", "LRU"}) {
    const std::optional<Rank> expected = smallest_of_all(settings_for(policy), bounds);
    holes += expected.has_value();
    EXPECT_EQ(found(settings_for(policy), bounds), expected) << policy;
  }
  bounds.cost_most = 1;
  for (const char* policy : {"LargestStorage", "NbhdPenalty", "HEStar", "DTREqClass", "TControlInspired"}) {
    const std::optional<Rank> expected = smallest_of_all(settings_for(policy), bounds);
    holes += expected.has_value();
    EXPECT_EQ(found(settings_for(policy), bounds), expected) << policy;
  }
  EXPECT_GE(holes, 3u);
}

TEST(Smallest, OtherDeallocAndLimitsAgainstAllPrograms) {
  for (const Dealloc dealloc : {Dealloc::ignore, Dealloc::banish})
    for (const char* policy : {"LRU", "LargestStorage"})
      EXPECT_EQ(found(settings_for(policy, dealloc), bounds_of(3, 2, 1, true)),
                smallest_of_all(settings_for(policy, dealloc), bounds_of(3, 2, 1, true)))
          << policy << " " << name_of(dealloc);
  RunSettings tight = settings_for("LargestStorage");
  tight.overhead_limit = *OverheadLimit::parse("1.2");
  SmallestBounds bounds = bounds_of(4, 2, 1);
  bounds.arguments = EnumerationBounds::Arguments::sets;
  EXPECT_EQ(found(tight, bounds), smallest_of_all(tight, bounds));
}

TEST(Smallest, DtrNeedsFourOperators) {
  const std::optional<Rank> rank = found(settings_for("DTR"), bounds_of(5, 6, 6), 2);
  ASSERT_TRUE(rank);
  EXPECT_EQ(rank->operators, 4);
  EXPECT_EQ(rank->edges, 2);
  EXPECT_EQ(rank->values, 4);
  EXPECT_EQ(rank->total_bytes, 6);
  EXPECT_EQ(rank->witness, (Witness{4, 5, 6}));
  EXPECT_FALSE(found(settings_for("DTR"), bounds_of(3, 6, 6, true)));
}

// The judge of the engine says the same of the program.
TEST(Smallest, TheSlowModelConfirmsTheHoleOfDtr) {
  const SmallestBounds bounds = bounds_of(4, 6, 6);
  const Smallest result = smallest_hole(settings_for("DTR"), bounds);
  ASSERT_TRUE(result.progress.best);
  const Program program = program_of(*result.progress.best, bounds);
  SlowSettings slow;
  slow.policy.name = "DTR";
  const Outcome expected[] = {Outcome::oom, Outcome::ok, Outcome::oom, Outcome::ok};
  for (Bytes budget = 3; budget <= 6; ++budget)
    EXPECT_EQ(run_slowly(program, slow, budget).outcome, expected[budget - 3]) << budget;
}

TEST(Smallest, WithoutOutputsDtrNeedsFiveOperators) {
  SmallestBounds bounds = bounds_of(4, 6, 6);
  bounds.outputs = false;
  for (const char* policy :
       {"DTR", "LRU", "DTRLocal", "MSPS", "LargestStorage", "NbhdPenalty", "TwoPhase", "CostStale", "HEStar"})
    EXPECT_FALSE(found(settings_for(policy), bounds)) << policy;
  bounds.operators = 5;
  const std::optional<Rank> rank = found(settings_for("DTR"), bounds, 2);
  ASSERT_TRUE(rank);
  EXPECT_EQ(rank->operators, 5);
  EXPECT_EQ(rank->edges, 3);
  EXPECT_EQ(rank->values, 3);
  EXPECT_EQ(rank->total_bytes, 11);
  EXPECT_EQ(rank->witness, (Witness{5, 6, 7}));
}

// The table of README.md.
TEST(Smallest, EachPolicyHasItsSmallestHole) {
  struct Expected {
    const char* policy;
    std::int64_t edges, values;
    Bytes total;
  };
  const Expected all[] = {{"DTR", 2, 4, 6},      {"DTRLocal", 2, 4, 6},      {"NbhdPenalty", 2, 4, 6},
                          {"TwoPhase", 2, 4, 6}, {"CostStale", 2, 4, 6},     {"HEStar", 2, 3, 6},
                          {"MSPS", 2, 3, 7},     {"LargestStorage", 2, 3, 7}};
  for (const Expected& e : all) {
    const std::optional<Rank> rank = found(settings_for(e.policy), bounds_of(4, 6, 6));
    ASSERT_TRUE(rank) << e.policy;
    EXPECT_EQ(rank->operators, 4) << e.policy;
    EXPECT_EQ(rank->edges, e.edges) << e.policy;
    EXPECT_EQ(rank->values, e.values) << e.policy;
    EXPECT_EQ(rank->total_bytes, e.total) << e.policy;
  }
  EXPECT_FALSE(found(settings_for("LRU"), bounds_of(4, 6, 6)));
}

Program known_program() {
  ProgramBuilder builder;
  const auto add = [&](Cost cost, std::vector<TensorId> arguments, Bytes size) {
    EXPECT_FALSE(builder.add_operator("", cost, std::move(arguments), {{size, -1, ""}}));
  };
  add(4, {}, 6);
  add(2, {0}, 4);
  add(5, {1}, 6);
  add(6, {0}, 1);
  EXPECT_FALSE(builder.release(0));
  add(5, {1, 2}, 1);
  for (const TensorId t : {1, 2}) EXPECT_FALSE(builder.release(t));
  for (const TensorId t : {3, 4}) EXPECT_FALSE(builder.pin(t));
  return builder.finish();
}

TEST(Smallest, TellsWhetherACandidateIsTheSmallest) {
  const RunSettings dtr = settings_for("DTR");
  const std::optional<Rank> known = smallest_rank(known_program(), exact_map(known_program(), dtr));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->witness, (Witness{12, 13, 16}));
  const Smallest smaller = hole_smaller_than(*known, dtr, bounds_of(5, 6, 6));
  ASSERT_TRUE(smaller.progress.best);
  EXPECT_LT(smaller.progress.best->rank, *known);
  const Smallest none = hole_smaller_than(smaller.progress.best->rank, dtr, bounds_of(5, 6, 6));
  EXPECT_TRUE(none.complete);
  EXPECT_FALSE(none.progress.best);
  // A candidate that differs in what comes last only.
  Rank later = smaller.progress.best->rank;
  later.spelling.back() += 1;
  const Smallest again = hole_smaller_than(later, dtr, bounds_of(5, 6, 6));
  ASSERT_TRUE(again.progress.best);
  EXPECT_EQ(again.progress.best->rank, smaller.progress.best->rank);
}

TEST(ThreadsSmallest, StoppedAnywhereItGoesOnToTheSame) {
  const RunSettings settings = settings_for("HEStar");
  const SmallestBounds bounds = bounds_of(4, 3, 3);
  const Smallest whole = smallest_hole(settings, bounds);
  ASSERT_TRUE(whole.progress.best);
  SmallestProgress at;
  int stops = 0;
  for (Smallest part; !part.complete; ++stops) {
    std::atomic<bool> stop = false;
    SmallestSearch search;
    search.threads = 1 + static_cast<unsigned>(stops % 3);
    search.stop = &stop;
    int folds = 0;
    search.on_progress = [&](const SmallestProgress&, double) { stop = ++folds >= 700 + 100 * stops; };
    part = smallest_hole(settings, bounds, search, at);
    at = part.progress;
    ASSERT_LT(stops, 1000);
  }
  EXPECT_GT(stops, 2);
  ASSERT_TRUE(at.best);
  EXPECT_EQ(at.best->rank, whole.progress.best->rank);
  EXPECT_EQ(at.best->skeleton, whole.progress.best->skeleton);
  const std::optional<SmallHole> same = hole_at(settings, bounds, at.best->skeleton, at.best->sizes, at.best->costs);
  ASSERT_TRUE(same);
  EXPECT_EQ(same->rank, at.best->rank);
}

TEST(Smallest, RefusesWhatIsNoPlaceOrTooMuch) {
  const RunSettings settings = settings_for("DTR");
  const SmallestBounds bounds = bounds_of(4, 6, 6);
  EXPECT_FALSE(hole_at(settings, bounds, 0, {1, 1, 1, 1}, {1, 1, 1, 1}));
  EXPECT_FALSE(hole_at(settings, bounds, std::uint64_t{1} << 60, {1, 1, 1, 1}, {1, 1, 1, 1}));
  EXPECT_FALSE(hole_at(settings, bounds, 0, {1, 1, 1, 7}, {1, 1, 1, 1}));
  EXPECT_EQ(why_not_searchable(bounds_of(5, 6, 6)), "");
  EXPECT_EQ(why_not_searchable(bounds_of(5, 10, 10)), "");
  EXPECT_NE(why_not_searchable(bounds_of(5, 11, 6)), "");
  EXPECT_NE(why_not_searchable(bounds_of(7, 2, 2)), "");
  EXPECT_NE(why_not_searchable(bounds_of(3, 0, 2)), "");
}

}  // namespace
}  // namespace pothole
