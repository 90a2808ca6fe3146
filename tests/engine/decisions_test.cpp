// Decisions say what happened, and a schedule makes it happen again.
#include "engine/decisions.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "engine/run.h"
#include "tests/support/any_program.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

using Kind = Decision::Kind;

RunResult recorded(const Program& program, const RunSettings& settings, Bytes budget,
                   const Schedule* schedule = nullptr) {
  RunOptions options;
  options.record_victims = true;
  options.record_decisions = true;
  options.schedule = schedule;
  return run(program, settings, budget, options);
}

// Three of one byte; the third reads the first.
Program three() { return plain_program({{1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {0}, {0}}}, {1, 2}); }

TEST(Decisions, AreTheWholeHistory) {
  const RunResult result = recorded(three(), settings_with("LRU"), 2);
  const std::vector<Decision> expected = {{Kind::computed, 0}, {Kind::computed, 1}, {Kind::evicted, 1},
                                          {Kind::computed, 2}, {Kind::released, 0}, {Kind::computed, 1}};
  EXPECT_EQ(result.decisions, expected);
  EXPECT_EQ(operator_at(three(), result.decisions, 0), 0u);
  EXPECT_EQ(operator_at(three(), result.decisions, 2), 2u);
  EXPECT_EQ(operator_at(three(), result.decisions, 6), 3u);
  EXPECT_EQ(schedule_of(result.decisions), (Schedule{{2, 1}}));
}

TEST(Decisions, AreNotRecordedUnasked) { EXPECT_TRUE(run(three(), settings_with("LRU"), 2).decisions.empty()); }

TEST(Schedules, EvictWhatIsNotInTheWay) {
  const Schedule schedule = {{2, 1}};
  const RunResult result = recorded(three(), settings_with("LRU"), 100, &schedule);
  EXPECT_EQ(result.outcome, Outcome::ok);
  EXPECT_EQ(result.victims, std::vector<TensorId>{1});
  EXPECT_EQ(result.measures.peak_resident, 2);
  EXPECT_EQ(result.certificate, (Certificate{2, Certificate::kUnbounded}));
}

TEST(Schedules, DecideAlone) {
  const Schedule nothing;
  const RunResult result = recorded(three(), settings_with("LRU"), 2, &nothing);
  EXPECT_EQ(result.outcome, Outcome::oom);
  EXPECT_TRUE(result.victims.empty());
  EXPECT_EQ(result.certificate, (Certificate{2, 3}));
  EXPECT_EQ(result.failure->request, 1);
}

TEST(Schedules, ThatCannotBeFollowedEndUnresolved) {
  // Locked, not there yet, gone already, no tensor at all.
  for (const Schedule& schedule : {Schedule{{2, 0}}, Schedule{{0, 1}}, Schedule{{2, 1}, {2, 1}}, Schedule{{1, 99}}}) {
    const RunResult result = recorded(three(), settings_with("LRU"), 100, &schedule);
    EXPECT_EQ(result.outcome, Outcome::unresolved);
    EXPECT_EQ(result.why_unresolved, kScheduleNotFollowed);
  }
}

TEST(Schedules, OfAnyRunGiveItAgain) {
  EXPECT_TRUE(rc::check("a schedule repeats its run at its budget", [](bool ignore) {
    const Program program = (*any_program_seed(25)).program();
    const Bytes peak = peak_of(program);
    for (const char* policy : {"DTR", "TwoPhase", "RandomStorage", "DTREqClass"}) {
      const RunSettings settings = settings_with(policy, ignore ? Dealloc::ignore : Dealloc::eager);
      for (const double share : {0.4, 0.6, 0.8}) {
        const Bytes budget = budget_at_ratio(peak, share);
        const RunResult original = recorded(program, settings, budget);
        const Schedule schedule = schedule_of(original.decisions);
        const RunResult again = recorded(program, settings, budget, &schedule);
        // A run that fails evicts before the request it fails at; it is due again there.
        RC_ASSERT(again.outcome == original.outcome);
        RC_ASSERT(again.decision_digest == original.decision_digest);
        RC_ASSERT(again.measures == original.measures);
        RC_ASSERT(again.victims == original.victims);
      }
    }
  }));
}

}  // namespace
}  // namespace pothole
