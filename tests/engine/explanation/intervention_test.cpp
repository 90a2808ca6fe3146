// Retaining is what it says, the control is a control, and the smallest sets are the smallest.
#include "engine/explanation/intervention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "engine/search.h"
#include "shrinker/oracle.h"
#include "tests/support/any_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

TEST(Intervention, WhatIsRetainedIsNeverEvictedAndItsBytesCount) {
  std::size_t evictions = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = random_program(seed, 15);
    RunSettings settings = settings_with(seed % 2 == 0 ? "DTR" : "LRU");
    const Bytes budget = peak_of(program) * 2 / 3;
    const RunResult plain = run(program, settings, budget, {.record_victims = true});
    if (plain.victims.empty()) continue;
    const StorageId storage = program.tensors()[plain.victims[seed % plain.victims.size()]].storage;
    settings.retained = {storage};
    const History history = history_of(program, settings, budget);
    for (std::size_t i = 0; i < history.events.size(); ++i) {
      const Event& event = history.events[i];
      if (event.kind != Event::Kind::evicted) continue;
      ++evictions;
      EXPECT_NE(program.tensors()[event.tensor].storage, storage);
      if (resident_before(program, history.events, i)[storage]) {
        EXPECT_GE(event.pinned, program.storages()[storage].size);
      }
    }
  }
  EXPECT_GT(evictions, 100u);
}

// Every set of what the failing execution evicts, without the search.
std::size_t smallest_that_completes(const Program& program, RunSettings settings, const History& oom) {
  std::vector<StorageId> evicted;
  for (const Event& e : oom.events)
    if (e.kind == Event::Kind::evicted) evicted.push_back(program.tensors()[e.tensor].storage);
  std::sort(evicted.begin(), evicted.end());
  evicted.erase(std::unique(evicted.begin(), evicted.end()), evicted.end());
  std::size_t least = 0;
  for (std::uint64_t bits = 1; bits < std::uint64_t{1} << evicted.size(); ++bits) {
    const auto size = static_cast<std::size_t>(std::popcount(bits));
    if (least > 0 && size >= least) continue;
    settings.retained.clear();
    for (std::size_t i = 0; i < evicted.size(); ++i)
      if (bits >> i & 1) settings.retained.push_back(evicted[i]);
    if (run(program, settings, oom.budget).outcome == Outcome::ok) least = size;
  }
  return least;
}

TEST(Intervention, FindsTheSmallestSetsOrProvesThatThereAreNone) {
  std::size_t holes = 0, none = 0;
  InterventionLimits limits;
  limits.runs = 1U << 20;  // all sets
  for (const char* policy : {"DTR", "LRU", "TwoPhase", "HEStar"}) {
    OracleSettings oracle_settings;
    oracle_settings.run = settings_with(policy);
    const RunSettings& settings = oracle_settings.run;
    const Oracle oracle(oracle_settings);
    for (std::uint64_t seed = 0; seed < 1200; ++seed) {
      const Program program = random_program(seed, 12);
      const Answer answer = oracle.ask(program, {});
      if (answer.kind != Answer::Kind::hole) continue;
      ++holes;
      const History ok = history_of(program, settings, answer.witness.ok);
      const History oom = history_of(program, settings, answer.witness.oom);
      const Interventions found = intervene(program, settings, oom, rebuild_of(program, ok, oom), limits);
      ASSERT_TRUE(found.control_reproduces) << policy << seed;
      const std::size_t least = smallest_that_completes(program, settings, oom);
      if (least == 0) {
        ++none;
        EXPECT_TRUE(found.all_tried) << policy << seed;
        EXPECT_TRUE(found.smallest.empty()) << policy << seed;
      } else {
        ASSERT_NE(found.best(), nullptr) << policy << seed;
        EXPECT_TRUE(found.smallest_is_certain) << policy << seed;
        EXPECT_EQ(found.best()->retained.size(), least) << policy << seed;
      }
      for (const Intervention& i : found.smallest) {
        RunSettings retained = settings;
        retained.retained = i.retained;
        EXPECT_EQ(run(program, retained, oom.budget).outcome, Outcome::ok);
      }
    }
  }
  EXPECT_GT(holes, 20u);
  EXPECT_GT(none, 0u);
}

TEST(Intervention, AControlThatDoesNotReproduceEndsIt) {
  const RunSettings settings = settings_with("DTR");
  const History ok = history_of(five_operators(), settings, 12), oom = history_of(five_operators(), settings, 13);
  History other = oom;
  other.result.decision_digest ^= 1;
  const Interventions found = intervene(five_operators(), settings, other, rebuild_of(five_operators(), ok, oom), {});
  EXPECT_FALSE(found.control_reproduces);
  EXPECT_TRUE(found.likely.empty());
  EXPECT_TRUE(found.others.empty());
  EXPECT_TRUE(found.smallest.empty());
  EXPECT_FALSE(found.all_tried);
}

TEST(Intervention, ClaimsNothingBeyondItsLimits) {
  const RunSettings settings = settings_with("DTR");
  const History ok = history_of(five_operators(), settings, 12), oom = history_of(five_operators(), settings, 13);
  const Rebuild rebuild = rebuild_of(five_operators(), ok, oom);
  InterventionLimits limits;
  limits.runs = 1;  // the control's
  const Interventions few = intervene(five_operators(), settings, oom, rebuild, limits);
  EXPECT_FALSE(few.smallest_is_certain && few.smallest.empty());
  EXPECT_FALSE(few.all_tried);
}

}  // namespace
}  // namespace pothole
