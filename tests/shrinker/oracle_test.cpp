// The oracle finds a hole where there is one, and says nothing that single runs do not confirm.
#include "shrinker/oracle.h"

#include <gtest/gtest.h>

#include "corpus/trace.h"
#include "engine/search.h"
#include "generators/random_program.h"
#include "properties/hole_signature.h"
#include "tests/support/shared_data.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

Oracle oracle_of(const std::string& policy, std::optional<std::string> signature = {}) {
  OracleSettings settings;
  settings.run = settings_with(policy);
  settings.signature = std::move(signature);
  return Oracle(settings);
}

bool confirmed(const Program& program, const RunSettings& settings, const Witness& w) {
  return w.ok < w.oom && w.oom < w.ok_above && run(program, settings, w.ok).outcome == Outcome::ok &&
         run(program, settings, w.oom).outcome == Outcome::oom &&
         run(program, settings, w.ok_above).outcome == Outcome::ok;
}

// Every budget by itself.
bool has_hole(const Program& program, const RunSettings& settings) {
  bool ok = false, oom = false;
  for (Bytes budget = 1; budget <= peak_of(program); ++budget) {
    const Outcome outcome = run(program, settings, budget).outcome;
    if (outcome == Outcome::ok && oom) return true;
    ok = ok || outcome == Outcome::ok;
    oom = ok && (oom || outcome == Outcome::oom);
  }
  return false;
}

TEST(Oracle, AgreesWithSingleRunsAtEveryBudget) {
  int holes = 0;
  for (const std::string policy : {"DTR", "LRU", "TwoPhase", "TControlInspired"}) {
    const Oracle oracle = oracle_of(policy);
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
      const Program program = random_program(seed, 12);
      if (peak_of(program) > 1000) continue;
      const Answer answer = oracle.ask(program, {});
      ASSERT_EQ(answer.kind == Answer::Kind::hole, has_hole(program, oracle.settings().run)) << policy << seed;
      ASSERT_TRUE(answer.kind == Answer::Kind::hole || answer.kind == Answer::Kind::no_hole) << policy << seed;
      if (answer.kind != Answer::Kind::hole) continue;
      ++holes;
      ASSERT_TRUE(confirmed(program, oracle.settings().run, answer.witness)) << policy << seed;
    }
  }
  EXPECT_GT(holes, 10);
}

TEST(Oracle, TakesTheNarrowestHole) {
  const Program& program = five_operators();
  EXPECT_EQ(oracle_of("DTR").ask(program, {}).witness, (Witness{12, 13, 16}));
}

TEST(Oracle, WithoutOutcomesIsUnresolvedAndNoHole) {
  OracleSettings settings;
  settings.run = settings_with("DTR");
  settings.steps_max = 2;
  const Program& program = five_operators();
  EXPECT_EQ(Oracle(settings).ask(program, {}).kind, Answer::Kind::unresolved);
}

TEST(Oracle, SaysWhatOtherHolesItMet) {
  const Program& program = five_operators();
  const std::string own = text_of(hole_signature(program, settings_with("DTR"), 12, 13));
  EXPECT_EQ(oracle_of("DTR", own).ask(program, {}).kind, Answer::Kind::hole);
  const Answer slipped = oracle_of("DTR", "another").ask(program, {});
  EXPECT_EQ(slipped.kind, Answer::Kind::slipped);
  ASSERT_EQ(slipped.others.size(), 1U);
  EXPECT_EQ(slipped.others[0].signature, own);
  EXPECT_EQ(slipped.others[0].witness, (Witness{12, 13, 16}));
}

TEST(Oracle, StoppedSaysNothing) {
  const std::atomic<bool> stop = true;
  OracleSettings settings;
  settings.run = settings_with("DTR");
  settings.stop = &stop;
  const Program& program = five_operators();
  EXPECT_EQ(Oracle(settings).ask(program, {}).kind, Answer::Kind::stopped);
}

TEST(Oracle, FindsTheHoleAroundABudgetOfALargeTrace) {
  const std::string name = "resnet32";
  for (const auto& file : public_traces()) {
    if (!file.filename().string().starts_with(name)) continue;
    const Oracle oracle = oracle_of("DTR");
    const Program program = read_trace(file).program;
    ASSERT_GT(program.operators().size(), Oracle::kExactOperators);
    const auto witness = oracle.hole_around(program, 1'046'362'683);
    ASSERT_TRUE(witness);
    EXPECT_TRUE(confirmed(program, oracle.settings().run, *witness));
    EXPECT_LT(witness->ok, 1'024'657'200);
    EXPECT_FALSE(oracle.hole_around(program, 1'100'000'000));
    EXPECT_EQ(oracle.ask(program, *witness).kind, Answer::Kind::hole);
    EXPECT_EQ(oracle.why_not_deterministic(program, *witness), "");
    return;
  }
  GTEST_SKIP() << absent(name);
}

}  // namespace
}  // namespace pothole
