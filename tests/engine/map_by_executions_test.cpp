// The map by distinct executions against a run at every single budget.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <stdexcept>
#include <string>

#include "engine/parallel.h"
#include "engine/program_builder.h"
#include "engine/search.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

RunSettings settings_of(const std::string& policy, const std::string& overhead_limit = "60") {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::logic_error(error.what);
  settings.overhead_limit = OverheadLimit::parse(overhead_limit).value();
  return settings;
}

// A graph of eight operators that completes under DTR with 40 bytes and not with 41 to 47.
Program tiny_hole() {
  struct Op {
    Cost cost;
    Bytes size;
    std::vector<TensorId> arguments, released;
  };
  const std::vector<Op> ops = {{10, 14, {0}, {}},      {1, 10, {0}, {}},       {1, 15, {1, 2}, {}},
                               {3, 1, {2}, {}},        {1, 5, {4}, {}},        {1, 8, {5, 4}, {5, 4}},
                               {1, 6, {6, 3}, {6, 3}}, {5, 4, {7, 2}, {7, 2}}, {6, 2, {8, 1}, {8, 1}}};
  ProgramBuilder builder;
  const auto check = [](const std::optional<BuildError>& error) {
    if (error) throw std::logic_error(error->what);
  };
  check(builder.add_constant(1, "c"));
  for (const Op& op : ops) {
    check(builder.add_operator("f", op.cost, op.arguments, {{op.size, -1, ""}}));
    for (TensorId t : op.released) check(builder.release(t));
  }
  check(builder.pin(0));
  check(builder.pin(9));
  return builder.finish();
}

// Says what differs from a run at each budget, or nothing.
std::string difference_from_single_runs(const Program& program, const RunSettings& settings,
                                        const FeasibilityMap& map) {
  auto execution = map.executions.begin();
  for (Bytes budget = map.from; budget < map.to; ++budget) {
    if (execution != map.executions.end() && execution->to <= budget) ++execution;
    const std::string at = "budget " + std::to_string(budget) + ": ";
    if (execution == map.executions.end() || budget < execution->from || budget >= execution->to)
      return at + "not covered once";
    const RunResult result = run(program, settings, budget);
    const Execution expected{std::max(map.from, result.certificate.lo),
                             std::min(map.to, result.certificate.hi),
                             result.outcome,
                             result.why_unresolved,
                             result.measures.model_compute,
                             result.measures.remat_compute};
    if (*execution != expected) return at + "another execution";
  }
  if (execution != map.executions.end() && execution + 1 != map.executions.end()) return "executions beyond the range";
  return "";
}

TEST(ThreadsMapByExecutions, TheTinyHoleIsFoundToTheByte) {
  const Program program = tiny_hole();
  ASSERT_EQ(peak_of(program), 54);
  const RunSettings settings = settings_of("DTR");
  const FeasibilityMap map = map_by_executions(program, settings, {1, 55});
  EXPECT_EQ(difference_from_single_runs(program, settings, map), "");
  const auto segments = segments_of(map);
  ASSERT_EQ(segments.size(), 4u);
  EXPECT_EQ(first_success_of(segments), 40);
  EXPECT_EQ(stable_from_of(segments), 48);
  EXPECT_EQ(certified_bytes_of(map), 54);
  const auto holes = holes_of(segments);
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(holes[0].from, 41);
  EXPECT_EQ(holes[0].to, 48);
  EXPECT_EQ(holes[0].oom_bytes, 7);
  EXPECT_EQ(holes[0].safe_budget, 40);
}

TEST(ThreadsMapByExecutions, EveryPolicyEqualsSingleRunsOnTheTinyHole) {
  const Program program = tiny_hole();
  for (const Policy& policy : policies()) {
    const RunSettings settings = settings_of(std::string(policy.name));
    EXPECT_EQ(difference_from_single_runs(program, settings, map_by_executions(program, settings, {1, 60})), "")
        << policy.name;
  }
}

TEST(ThreadsMapByExecutions, PartsOfTheRangeAreThePartsOfTheMap) {
  const Program program = tiny_hole();
  const RunSettings settings = settings_of("DTR");
  for (Bytes from = 1; from < 55; from += 3)
    for (Bytes to = from; to < 60; to += 7)
      EXPECT_EQ(difference_from_single_runs(program, settings, map_by_executions(program, settings, {from, to})), "");
}

TEST(ThreadsMapByExecutions, AnEmptyRangeHasNoExecutions) {
  EXPECT_TRUE(map_by_executions(tiny_hole(), settings_of("DTR"), {9, 9}).executions.empty());
  EXPECT_TRUE(map_by_executions(tiny_hole(), settings_of("DTR"), {9, 3}).executions.empty());
}

constexpr const char* kSomePolicies[] = {"DTR", "LRU", "TwoPhase@k=2", "DTREqClass", "RandomStorage", "NbhdPenalty"};

TEST(ThreadsMapByExecutions, AnyProgramEqualsSingleRunsWhateverTheThreads) {
  constexpr Bytes kWidthMax = 300;  // so many single runs
  std::map<Outcome, int> outcomes;
  EXPECT_TRUE(rc::check("a map equals single runs", [&](std::uint64_t choices) {
    const ProgramSeed seed = *any_program_seed(30);
    const Program program = seed.program();
    SplitMix random(choices);
    const Bytes peak = peak_of(program);
    for (const char* policy : kSomePolicies) {
      const Bytes least = random.chance(70) ? std::min(peak, program.bottleneck()) : 0;
      const Bytes from = random.between(least, peak), to = random.between(from, std::min(from + kWidthMax, peak + 3));
      const RunSettings settings = settings_of(policy, random.chance(50) ? "60" : "1.2");
      FeasibilityMap alone, together;
      with_threads(1, [&] { alone = map_by_executions(program, settings, {from, to}); });
      with_threads(2, [&] { together = map_by_executions(program, settings, {from, to}); });
      RC_ASSERT(alone.executions == together.executions);
      for (const Execution& execution : alone.executions) ++outcomes[execution.outcome];
      if (const std::string wrong = difference_from_single_runs(program, settings, alone); !wrong.empty())
        RC_FAIL(std::string(policy) + ", " + wrong);
    }
  }));
  for (const Outcome outcome : {Outcome::ok, Outcome::oom, Outcome::thrashed})
    EXPECT_GT(outcomes[outcome], 10) << name_of(outcome);
}

TEST(ThreadsMapByExecutions, AStopLeavesWhatWasCertifiedAndTheRestUnresolved) {
  const Program program = tiny_hole();
  const RunSettings settings = settings_of("DTR");
  std::atomic<bool> stop{false};
  std::atomic<Bytes> certified{0};
  SearchControl control;
  control.stop = &stop;
  control.on_report = [&](const SearchReport& report) {
    for (const Execution& e : report.found) certified += e.to - e.from;
    stop = true;
  };
  FeasibilityMap map;
  with_threads(1, [&] { map = map_by_executions(program, settings, {1, 55}, control); });
  ASSERT_EQ(map.executions.size(), 1u);
  EXPECT_EQ(certified_bytes_of(map), certified);
  const Execution& execution = map.executions[0];
  EXPECT_EQ(execution.outcome, run(program, settings, execution.from).outcome);
  Bytes unresolved = 0;
  for (const UnresolvedInterval& interval : unresolved_of(map)) unresolved += interval.to - interval.from;
  EXPECT_GT(unresolved, 0);
  EXPECT_EQ(unresolved + certified, 54);
}

TEST(ThreadsMapByExecutions, EveryByteIsReportedOnce) {
  std::atomic<Bytes> certified{0};
  SearchControl control;
  control.on_report = [&](const SearchReport& report) {
    for (const Execution& e : report.found) certified += e.to - e.from;
  };
  map_by_executions(tiny_hole(), settings_of("LRU"), {1, 1'000'000}, control);
  EXPECT_EQ(certified, 999'999);
}

}  // namespace
}  // namespace pothole
