// A reduction keeps the hole, keeps its promises, and does not depend on threads or interruptions.
#include "shrinker/shrink.h"

#include <gtest/gtest.h>

#include "engine/parallel.h"
#include "engine/search.h"
#include "generators/random_program.h"
#include "properties/hole_signature.h"
#include "shrinker/trial.h"
#include "tests/support/native_text.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

constexpr std::int64_t kFewPumps = 40;

ShrinkSettings settings_for(const std::string& policy, std::int64_t pumps = kFewPumps) {
  ShrinkSettings settings;
  settings.oracle.run = settings_with(policy);
  settings.pumps = pumps;
  return settings;
}

struct Start {
  Program program;
  Witness witness;
};

// The first of the random programs with a hole, from a seed on.
Start start_for(const std::string& policy, std::uint64_t& seed) {
  OracleSettings settings;
  settings.run = settings_with(policy);
  const Oracle oracle(settings);
  while (true) {
    const Program program = random_program(seed, static_cast<std::int64_t>(12 + seed % 9));
    ++seed;
    const Answer answer = oracle.ask(program, {});
    if (answer.kind == Answer::Kind::hole) return {program, answer.witness};
  }
}

ShrinkState state_of(const Start& start) {
  ShrinkState state;
  state.program = start.program;
  state.witness = start.witness;
  return state;
}

std::string shown(const ShrinkState& state) {
  return native_text(state.program) + std::to_string(state.witness.ok) + " " + std::to_string(state.witness.oom) + " " +
         std::to_string(state.witness.ok_above) + " " + std::to_string(state.evaluations) + " " +
         std::string(name_of(state.phase));
}

ShrinkState shrunk(const ShrinkSettings& settings, ShrinkState state, const ShrinkListener& listener = {}) {
  Shrinker shrinker(settings, std::move(state), listener);
  shrinker.run();
  return shrinker.state();
}

TEST(ThreadsShrink, IsTheSameForAnyNumberOfThreads) {
  for (const std::string policy : {"DTR", "LRU"}) {
    std::uint64_t seed = 1;
    for (int i = 0; i < 6; ++i) {
      const Start start = start_for(policy, seed);
      std::vector<std::string> results;
      for (const unsigned threads : {1U, 2U, 5U})
        with_threads(threads, [&] { results.push_back(shown(shrunk(settings_for(policy), state_of(start)))); });
      ASSERT_EQ(results[0], results[1]) << policy << seed;
      ASSERT_EQ(results[0], results[2]) << policy << seed;
    }
  }
}

TEST(Shrink, KeepsAHoleThatSingleRunsConfirm) {
  std::uint64_t seed = 100;
  for (const std::string policy : {"DTR", "LargestStorage", "TwoPhase", "HEStar"}) {
    for (int i = 0; i < 5; ++i) {
      const Start start = start_for(policy, seed);
      const ShrinkState end = shrunk(settings_for(policy), state_of(start));
      ASSERT_EQ(end.phase, ShrinkPhase::done);
      ASSERT_LE(end.program.operators().size(), start.program.operators().size());
      ASSERT_LE(rank_of(end.program, end.witness), rank_of(start.program, start.witness));
      const RunSettings settings = settings_with(policy);
      ASSERT_EQ(run(end.program, settings, end.witness.ok).outcome, Outcome::ok);
      ASSERT_EQ(run(end.program, settings, end.witness.oom).outcome, Outcome::oom);
      ASSERT_EQ(run(end.program, settings, end.witness.ok_above).outcome, Outcome::ok);
    }
  }
}

TEST(Shrink, OfItsResultChangesNothing) {
  std::uint64_t seed = 200;
  for (int i = 0; i < 12; ++i) {
    const ShrinkState once = shrunk(settings_for("DTR"), state_of(start_for("DTR", seed)));
    const ShrinkState twice = shrunk(settings_for("DTR"), state_of({once.program, once.witness}));
    ASSERT_EQ(native_text(once.program), native_text(twice.program)) << seed;
    ASSERT_EQ(once.witness, twice.witness) << seed;
  }
}

TEST(Shrink, ClaimsOneMinimalityOnlyWhereNoSingleEditSucceeds) {
  std::uint64_t seed = 300;
  for (int i = 0; i < 10; ++i) {
    const ShrinkSettings settings = settings_for("DTR");
    Shrinker shrinker(settings, state_of(start_for("DTR", seed)), {});
    shrinker.run();
    ASSERT_TRUE(shrinker.one_minimal());
    const Oracle oracle(settings.oracle);
    const Reduced end = reduced(oracle, shrinker.state().program, shrinker.state().witness);
    std::size_t edits = 0;
    for (const Pass& pass : passes()) {
      for (std::size_t piece = 0; piece < pass.count(end.holed); ++piece, ++edits) {
        Trial trial;
        try_edit(oracle, end, pass, piece, piece + 1, trial);
        ASSERT_FALSE(trial.smaller) << seed << " " << pass.name << " " << piece;
      }
    }
    ASSERT_EQ(shrinker.last_round().size(), edits) << "every single edit is accounted for";
    for (const Attempt& attempt : shrinker.last_round()) ASSERT_NE(attempt.kind, Attempt::Kind::taken);
  }
}

// Stops after so many evaluations and goes on from the state of the last success, as after a kill.
TEST(Shrink, StoppedAnywhereAndGoneOnWithEndsAlike) {
  std::uint64_t seed = 400;
  for (int i = 0; i < 5; ++i) {
    const Start start = start_for("DTR", seed);
    const ShrinkSettings settings = settings_for("DTR");
    const std::string whole = shown(shrunk(settings, state_of(start)));
    SplitMix random(seed);
    std::optional<ShrinkState> saved = state_of(start);
    int stops = 0;
    while (true) {
      std::atomic<bool> stop = false;
      ShrinkSettings stopping = settings;
      stopping.oracle.stop = &stop;
      std::int64_t left = random.between(1, 30 * (stops + 1));
      ShrinkListener listener;
      listener.on_smaller = [&](const ShrinkState& state) { saved = state; };
      listener.on_evaluated = [&](const ShrinkState&) {
        if (--left == 0) stop = true;
      };
      const ShrinkState end = shrunk(stopping, *saved, listener);
      if (end.phase == ShrinkPhase::done) {
        ASSERT_EQ(shown(end), whole) << seed << " after " << stops << " stops";
        break;
      }
      ASSERT_LT(++stops, 1000);
    }
    EXPECT_GT(stops, 0);
  }
}

TEST(Shrink, EndsAtItsLimitOfEvaluationsWithTheBestSoFar) {
  std::uint64_t seed = 500;
  const Start start = start_for("DTR", seed);
  ShrinkSettings settings = settings_for("DTR");
  const std::int64_t all = shrunk(settings, state_of(start)).evaluations;
  for (const std::int64_t most : {std::int64_t{1}, std::int64_t{20}, all / 2}) {
    settings.evaluations_max = most;
    const ShrinkState end = shrunk(settings, state_of(start));
    EXPECT_NE(end.phase, ShrinkPhase::done);
    EXPECT_GE(end.evaluations, most);
    EXPECT_EQ(run(end.program, settings.oracle.run, end.witness.oom).outcome, Outcome::oom);
  }
}

TEST(Shrink, WithASignatureNeverSlips) {
  std::uint64_t seed = 600;
  std::size_t others = 0;
  for (int i = 0; i < 100; ++i) {
    const Start start = start_for(i % 2 == 0 ? "DTR" : "LRU", seed);
    ShrinkSettings settings = settings_for(i % 2 == 0 ? "DTR" : "LRU");
    const std::string signature =
        text_of(hole_signature(start.program, settings.oracle.run, start.witness.ok, start.witness.oom));
    settings.oracle.signature = signature;
    settings.evaluations_max = 4000;
    ShrinkListener listener;
    listener.on_other = [&](const Program& program, const Answer::Other& other) {
      ++others;
      ASSERT_NE(other.signature, signature);
      ASSERT_EQ(run(program, settings.oracle.run, other.witness.oom).outcome, Outcome::oom);
    };
    const ShrinkState end = shrunk(settings, state_of(start), listener);
    ASSERT_EQ(text_of(hole_signature(end.program, settings.oracle.run, end.witness.ok, end.witness.oom)), signature)
        << seed;
  }
  EXPECT_GT(others, 100U) << "other holes are met on the way";
}

TEST(Shrink, GetsRandomHolesBelowSevenOperators) {
  std::uint64_t seed = 700;
  std::size_t operators = 0;
  for (int i = 0; i < 20; ++i)
    operators += shrunk(settings_for("DTR"), state_of(start_for("DTR", seed))).program.operators().size();
  EXPECT_LE(operators, 20U * 6);
}

}  // namespace
}  // namespace pothole
