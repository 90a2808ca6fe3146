// Score expressions as policies: those of the built-in ones decide as these do.
#include "engine/scores/score_policy.h"

#include <gtest/gtest.h>

#include <atomic>
#include <iostream>
#include <map>
#include <stdexcept>

#include "engine/parallel.h"
#include "engine/program_builder.h"
#include "engine/search.h"
#include "tests/support/any_program.h"
#include "tests/support/conformance.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

// Every policy of the list that only scores; the others look at the whole pool or at more than expressions see.
const std::map<std::string, std::string> kExpressions = {
    {"DTR", "(c + e) / (m * s)"},
    {"DTREqClass", "(c + q) / (m * s)"},
    {"DTRLocal", "c / (m * s)"},
    {"MSPS", "(c + er) / m"},
    {"LRU", "a"},
    {"LargestStorage", "1 / m"},
    {"NbhdPenalty", "(c + e) / (m * s) * (1 + 0.25 * n)"},
    {"ThrashPen", "(c + e) / (m * s) * (1.0 + k)"},
    {"HEStar", "n"},
    {"CostStale", "(c + e) / s"},
    {"AbE", "c + e"},
    {"AbESize", "(c + e) / m"},
    {"AbEStale", "(c + e) / s"},
    {"AbEq", "c + q"},
    {"AbEqSize", "(c + q) / m"},
    {"AbEqStale", "(c + q) / s"},
    {"AbLocal", "c"},
    {"AbLocalSize", "c / m"},
    {"AbLocalStale", "c / s"},
    {"AbSizeStale", "1 / (m * s)"},
    {"AbStale", "1 / s"},
};
const std::map<std::string, std::string> kWithoutExpression = {
    {"DTRUnopt", "its neighbourhood is a union, walked afresh"},
    {"RandomStorage", "it draws"},
    {"TwoPhase", "it reads the shortfall"},
    {"TieAware", "it compares with the least score of all"},
    {"TControlInspired", "it reads the budget"},
    {"FIFO", "no variable tells when a storage became resident"},
    {"Belady", "no variable tells the future"},
};

ConfiguredPolicy score(const std::string& text) {
  PolicyError error;
  ConfiguredPolicy configured = configure_score(text, error);
  if (configured.policy == nullptr) throw std::logic_error(error.what);
  return configured;
}

RunSettings settings_of(const std::string& text) {
  RunSettings settings;
  settings.policy = score(text);
  return settings;
}

TEST(ScorePolicy, EveryBuiltInPolicyIsInTheTable) {
  for (const Policy& policy : policies())
    EXPECT_NE(kExpressions.contains(std::string(policy.name)), kWithoutExpression.contains(std::string(policy.name)))
        << policy.name << " needs its expression here, or the reason why it has none";
}

std::string difference_on(const Program& program, const std::string& policy, RunSettings settings, Bytes budget) {
  RunOptions options;
  options.record_victims = true;
  PolicyError error;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::logic_error(error.what);
  const RunResult expected = run(program, settings, budget, options);
  settings.policy = score(kExpressions.at(std::string(settings.policy.policy->name)));
  const std::string fields = difference(expected, run(program, settings, budget, options));
  return fields.empty() ? "" : policy + " at " + std::to_string(budget) + "\n" + fields;
}

void expect_none(const std::vector<std::string>& failures) {
  std::size_t shown = 0;
  for (const std::string& failure : failures)
    if (!failure.empty() && ++shown <= 10) ADD_FAILURE() << failure;
  EXPECT_EQ(shown, 0u) << " failures in all";
}

void expect_the_same_victims(const std::vector<RecordedLog>& logs) {
  std::vector<std::string> failures(logs.size());
  std::atomic<std::int64_t> runs = 0;
  parallel_for(logs.size(), [&](std::size_t i) {
    const Program program = program_of(logs[i]);
    for (const RecordedRun& recorded : logs[i].runs) {
      const Policy* policy = find_policy(recorded.policy);
      if (policy == nullptr || !kExpressions.contains(std::string(policy->name))) continue;
      RunSettings settings;
      settings.dealloc = dealloc_of(recorded.dealloc);
      settings.overhead_limit = overhead_limit_of(recorded.overhead_limit);
      failures[i] += difference_on(program, recorded.policy, settings, recorded.budget);
      ++runs;
    }
  });
  expect_none(failures);
  std::cout << runs << " runs of " << logs.size() << " logs\n";
  EXPECT_GT(runs, 0);
}

TEST(ScorePolicy, BuiltInsAsExpressionsEvictTheSameOnBundledLogs) { expect_the_same_victims(bundled_logs()); }

TEST(ScorePolicy, BuiltInsAsExpressionsEvictTheSameOnAllConformanceLogs) {
  for (const char* name : {"conformance/random-logs.jsonl", "conformance/discriminators.jsonl"}) {
    const auto file = shared_file(name);
    if (!file) GTEST_SKIP() << absent(name);
    expect_the_same_victims(read_recorded_logs(*file));
  }
}

// In every comparison mode, with shortlists too.
TEST(ScorePolicy, BuiltInsAsExpressionsEvictTheSameOnRandomPrograms) {
  constexpr std::size_t kPrograms = 2000;
  std::vector<std::string> failures(kPrograms);
  parallel_for(kPrograms, [&](std::size_t i) {
    SplitMix random(i);
    const Program program = random_program(i, random.between(3, 40));
    const Bytes peak = peak_of(program);
    for (const auto& [policy, expression] : kExpressions) {
      RunSettings settings;
      settings.comparison = static_cast<Comparison>(random.between(0, 2));
      if (random.chance(50)) settings.shortlist_from = 4;
      failures[i] +=
          difference_on(program, policy, settings, random.between(std::min(peak, program.bottleneck()), peak));
    }
  });
  expect_none(failures);
}

TEST(ThreadsScorePolicy, CertifyAndExecutionsAgree) {
  constexpr const char* kScores[] = {"(c + e) / (m * s)",     "(c + ef) * (1.0 + k) / m",    "(c + q) / s + x",
                                     "n ^ 0.5 + log(s + 1)",  "need > m ? resident : a * d", "log(e - c)",
                                     "(c + er) / (m * clock)"};
  constexpr std::size_t kPrograms = 400;
  std::atomic<std::int64_t> merged = 0, faults = 0;
  parallel_for(kPrograms, [&](std::size_t i) {
    const Program program = random_program(i, 4 + static_cast<std::int64_t>(i % 14));
    const BudgetRange range = {1, std::max<Bytes>(peak_of(program), 1) + 2};
    for (const char* text : kScores) {
      RunSettings settings = settings_of(text);
      settings.comparison = static_cast<Comparison>(i % 3);
      if (i % 2 == 1) settings.shortlist_from = 4;
      const FeasibilityMap swept = map_by_sweep(program, settings, range);
      ASSERT_EQ(swept.executions, map_by_executions(program, settings, range).executions) << text << ", program " << i;
      merged += swept.work.states_merged;
      faults += static_cast<std::int64_t>(policy_errors_of(swept).size());
    }
  });
  EXPECT_GT(merged, 0);
  EXPECT_GT(faults, 0);
}

// Two executions that differ in nothing but how often a storage was evicted are one for a policy that does not count.
TEST(ScorePolicy, CountsOfEvictionsAreStateOnlyWhereTheyAreRead) {
  std::int64_t counting = 0, plain = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Program program = random_program(i, 16);
    const BudgetRange range = {1, peak_of(program) + 1};
    counting += map_by_sweep(program, settings_of("(c + e) / (m * s) + k - k"), range).work.states_merged;
    plain += map_by_sweep(program, settings_of("(c + e) / (m * s)"), range).work.states_merged;
  }
  EXPECT_LT(counting, plain);
}

TEST(ScorePolicy, AScoreThatIsNotANumberEndsTheRunAtItsOperator) {
  ProgramBuilder builder;
  for (int i = 0; i < 4; ++i) ASSERT_FALSE(builder.add_operator("f", 1, {}, {{10, -1, ""}}));
  const Program program = builder.finish();
  const RunResult result = run(program, settings_of("log(0 - 1 - m)"), 25);
  EXPECT_EQ(result.outcome, Outcome::policy_error);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(*result.fault, (PolicyFault{2, kScoreNotANumber}));
  EXPECT_EQ(result.certificate, (Certificate{20, 30}));
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.measures.evictions_by_policy, 0);
}

}  // namespace
}  // namespace pothole
