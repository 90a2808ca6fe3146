// The slow model against recorded outcomes of the DTR simulator, so that it may judge the engine.
#include "tests/model/slow_model.h"

#include <gtest/gtest.h>

#include <iostream>
#include <limits>

#include "tests/support/any_program.h"
#include "tests/support/conformance.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

void expect_recorded_outcomes(const std::vector<RecordedLog>& logs) {
  int runs = 0;
  for (const RecordedLog& log : logs) {
    const Program program = program_of(log);
    EXPECT_EQ(slow_peak_of(program), log.peak) << log.id;
    EXPECT_EQ(program.total_cost(), log.model_compute) << log.id;
    EXPECT_EQ(program.constant_bytes(), log.constant_bytes) << log.id;
    EXPECT_EQ(program.bottleneck(), log.bottleneck) << log.id;
    for (const RecordedRun& run : log.runs) {
      SlowSettings settings;
      settings.policy.name = run.policy;
      settings.dealloc = dealloc_of(run.dealloc);
      settings.overhead_limit = overhead_limit_of(run.overhead_limit);
      const std::string differing = difference(run, run_slowly(program, settings, run.budget));
      EXPECT_EQ(differing, "") << "log " << log.id << ", " << name_of(run) << " " << log.separates;
      ++runs;
    }
  }
  std::cout << runs << " recorded runs of " << logs.size() << " logs\n";
}

TEST(SlowModel, GivesTheBundledRecordedOutcomes) { expect_recorded_outcomes(bundled_logs()); }

TEST(SlowModel, GivesAllRecordedOutcomes) {
  for (const char* name : {"conformance/random-logs.jsonl", "conformance/discriminators.jsonl"}) {
    const auto file = shared_file(name);
    if (!file) GTEST_SKIP() << absent(name);
    expect_recorded_outcomes(read_recorded_logs(*file));
  }
}

TEST(SlowModel, RoundsQuotientsOnceToNearestEven) {
  EXPECT_EQ(rounded_quotient(1, 3), 1.0 / 3.0);
  EXPECT_EQ(rounded_quotient(-7, 10), -0.7);
  EXPECT_EQ(rounded_quotient(0, 5), 0.0);
  EXPECT_EQ(rounded_quotient(5, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(rounded_quotient(5, -1), std::numeric_limits<double>::infinity());
  const BigInt two_53 = BigInt(1) << 53;
  EXPECT_EQ(rounded_quotient(BigInt(two_53 + 1), 1), 0x1p53);      // a tie goes to the even neighbour below
  EXPECT_EQ(rounded_quotient(BigInt(two_53 + 3), 1), 0x1p53 + 4);  // or above
  EXPECT_EQ(rounded_quotient(BigInt(2 * two_53 + 3), 2), 0x1p53 + 2);
  EXPECT_EQ(rounded_quotient(BigInt((two_53 + 1) << 70), BigInt(BigInt(1) << 70)), 0x1p53);
  EXPECT_EQ(rounded_quotient(BigInt(((two_53 + 1) << 70) + 1), BigInt(BigInt(1) << 70)), 0x1p53 + 2);
  EXPECT_EQ(rounded_quotient(BigInt((BigInt(1) << 54) - 1), 1), 0x1p54);
}

// The contract of a certificate, checked in the slowest way: at every budget of a small program.
TEST(SlowModel, CertificatesHoldAtEveryBudget) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ProgramKnobs knobs = swarm_knobs(seed, 8);
    knobs.sizes = Quantities::tiny;
    const Program program = random_program(seed, knobs);
    for (const char* policy : {"DTR", "TwoPhase", "LRU"}) {
      SlowSettings settings;
      settings.policy = {.name = policy, .largest = 2};
      std::vector<RunResult> by_budget;
      for (Bytes budget = 0; budget <= slow_peak_of(program) + 1; ++budget)
        by_budget.push_back(run_slowly(program, settings, budget));
      for (std::size_t b = 0; b + 1 < by_budget.size(); ++b) {
        const RunResult &here = by_budget[b], &next = by_budget[b + 1];
        EXPECT_LE(here.certificate.lo, static_cast<Bytes>(b));
        EXPECT_GT(here.certificate.hi, static_cast<Bytes>(b));
        const bool one_certificate = here.certificate.hi > static_cast<Bytes>(b) + 1;
        EXPECT_EQ(one_certificate, here.certificate == next.certificate) << policy << " seed " << seed << " at " << b;
        if (!one_certificate) continue;
        EXPECT_EQ(here.victims, next.victims) << policy << " seed " << seed << " at " << b;
        EXPECT_EQ(here.measures, next.measures) << policy << " seed " << seed << " at " << b;
      }
    }
  }
}

TEST(SlowModel, RandomProgramsUseEveryOutcomeAndFeature) {
  int outcomes[3] = {0, 0, 0};
  int crossing = 0, constants = 0, rematerialized = 0, deep = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Program program = random_program(seed, 12);
    crossing += program.has_crossing_alias();
    constants += program.constant_bytes() > 0;
    SlowSettings settings;
    settings.policy.name = "DTR";
    settings.overhead_limit = overhead_limit_of("1.5");
    const RunResult result = run_slowly(program, settings, slow_peak_of(program) / 2);
    ++outcomes[static_cast<std::size_t>(result.outcome)];
    rematerialized += result.measures.remats > 0;
    deep += result.measures.max_depth > 2;
  }
  for (int count : {outcomes[0], outcomes[1], outcomes[2], crossing, constants, rematerialized, deep})
    EXPECT_GE(count, 10);
  std::cout << outcomes[0] << " ok, " << outcomes[1] << " oom, " << outcomes[2] << " thrashed; " << crossing
            << " with a crossing alias, " << rematerialized << " that rematerialize, " << deep << " nested\n";
}

}  // namespace
}  // namespace pothole
