// Properties whose violation is a broken contract: each holds of the engine, and each is shown to notice a
// fault that a test double of the engine has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>

#include "engine/pool_view.h"
#include "engine/program_builder.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

using testing::HasSubstr;

// What is done to the result of every run.
using Doctor = std::function<void(const Program&, Bytes budget, const RunOptions&, RunResult&)>;

Verdict doctored(const Program& program, const std::string& policy, const std::string& property, const Doctor& doctor) {
  CheckPlan plan = whole_plan(program);
  plan.run = [&](const Program& p, const RunSettings& settings, Bytes budget, const RunOptions& options) {
    RunResult result = run(p, settings, budget, options);
    doctor(p, budget, options, result);
    return result;
  };
  return verdict_on(program, settings_with(policy), property, plan);
}

Verdict doctored(const std::string& property, const Doctor& doctor) {
  return doctored(five_operators(), "DTR", property, doctor);
}

void drop_last_decision(RunResult& result) {
  if (!result.decisions.empty()) result.decisions.pop_back();
}

TEST(ThreadsContracts, AllHoldOfTheEngine) {
  for (const Policy& policy : policies()) {
    const RunSettings settings = settings_with(std::string(policy.name));
    const Subject subject(five_operators(), settings, whole_plan(five_operators()));
    for (const Property& property : properties()) {
      if (property.breach != Breach::contract) continue;
      EXPECT_EQ(shown(check_property(property, subject)), "holds") << policy.name << property.name;
    }
  }
}

TEST(Resident, NoticesMoreThanTheBudget) {
  CheckPlan plan = whole_plan(five_operators());
  plan.run = [](const Program& p, const RunSettings& settings, Bytes budget, const RunOptions& options) {
    return run(p, settings, budget + 1, options);
  };
  // With 12 bytes it does what it should do with 13, of which 13 are resident.
  const Verdict verdict = verdict_on(five_operators(), settings_with("DTR"), "resident", plan);
  ASSERT_EQ(verdict.ruling, Ruling::violated);
  EXPECT_EQ(verdict.violation->signature.kind, "over-budget");
  EXPECT_EQ(verdict.violation->signature.policy, "DTR");
}

TEST(Resident, NoticesAnArgumentThatIsNotThere) {
  const Verdict verdict = doctored("resident", [](const Program&, Bytes, const RunOptions&, RunResult& result) {
    if (result.decisions.size() > 2) result.decisions.erase(result.decisions.begin());
  });
  ASSERT_EQ(verdict.ruling, Ruling::violated);
  EXPECT_EQ(verdict.violation->signature.kind, "argument-missing");
}

TEST(Resident, NoticesTheEvictionOfWhatIsGone) {
  const Verdict verdict = doctored("resident", [](const Program&, Bytes, const RunOptions&, RunResult& result) {
    if (result.outcome == Outcome::ok) result.decisions.push_back({Decision::Kind::evicted, 0});
    if (result.outcome == Outcome::ok) result.decisions.push_back({Decision::Kind::evicted, 0});
  });
  ASSERT_EQ(verdict.ruling, Ruling::violated);
  EXPECT_EQ(verdict.violation->signature.kind, "not-resident");
  EXPECT_EQ(verdict.violation->storages, std::vector<TensorId>{0});
}

TEST(Resident, NoticesTheEvictionOfAConstant) {
  ProgramBuilder builder;
  ASSERT_FALSE(builder.add_constant(3, "w"));
  const Program program = builder.finish();
  const auto evict = [](const Program&, Bytes, const RunOptions&, RunResult& result) {
    if (result.outcome == Outcome::ok) result.decisions.push_back({Decision::Kind::evicted, 0});
  };
  EXPECT_EQ(shown(doctored(program, "DTR", "resident", evict)), "constant-evicted at 1, budgets 3, storages 0");
}

TEST(Resident, NoticesAWrongPeak) {
  const Verdict verdict = doctored("resident", [](const Program&, Bytes, const RunOptions&, RunResult& result) {
    result.measures.peak_resident += result.outcome == Outcome::ok;
  });
  ASSERT_EQ(verdict.ruling, Ruling::violated);
  EXPECT_EQ(verdict.violation->signature.kind, "miscounted");
}

// Counts the runs of one budget, and is out of order from the given one on.
std::string kind_when_out_of_order_from(int call) {
  std::mutex mutex;
  std::map<Bytes, int> calls;
  const Verdict verdict =
      doctored("determinism", [&](const Program&, Bytes budget, const RunOptions&, RunResult& result) {
        const std::lock_guard lock(mutex);
        if (++calls[budget] >= call) drop_last_decision(result);
      });
  return verdict.violation ? std::string(verdict.violation->signature.kind) : std::string(name_of(verdict.ruling));
}

TEST(ThreadsDeterminism, NoticesEachKindOfDifference) {
  EXPECT_EQ(kind_when_out_of_order_from(2), "reordered");
  EXPECT_EQ(kind_when_out_of_order_from(3), "repeated");
  EXPECT_EQ(kind_when_out_of_order_from(4), "parallel");
  EXPECT_EQ(kind_when_out_of_order_from(5), "holds");
}

// A policy that remembers: another member each time it is asked.
StorageId in_turn(PoolView& pool, const ConfiguredPolicy&) {
  static std::atomic<std::uint32_t> asked{0};
  return pool.member(asked++ % pool.size());
}

TEST(ThreadsDeterminism, NoticesAPolicyThatRemembers) {
  Policy policy;
  policy.name = "InTurn";
  policy.choose = in_turn;
  RunSettings settings;
  settings.policy = {&policy, {}, "InTurn", nullptr};
  const Program program = plain_program({{1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {}, {}}, {1, 1, {}, {}}}, {0, 1, 2, 3});
  EXPECT_EQ(verdict_on(program, settings, "determinism").ruling, Ruling::violated);
}

TEST(Certificates, NoticeOneWithoutItsOwnBudget) {
  const Verdict verdict =
      doctored("certificates", [](const Program&, Bytes budget, const RunOptions&, RunResult& result) {
        if (budget == 11) result.certificate.lo = 12;
      });
  EXPECT_EQ(shown(verdict), "own-budget, budgets 11");
}

TEST(Certificates, NoticeOneThatSaysTooMuchOrTooLittle) {
  for (const Bytes more : {-1, 1}) {
    const Verdict verdict = doctored("certificates", [&](const Program&, Bytes, const RunOptions&, RunResult& result) {
      if (result.certificate.hi == 16) result.certificate.hi += more;
    });
    EXPECT_EQ(shown(verdict), "thresholds, budgets 13") << more;
  }
}

// A policy that reads the budget through a back door.
std::atomic<Bytes> back_door{0};
StorageId through_the_back_door(PoolView& pool, const ConfiguredPolicy&) {
  return pool.member(back_door % 2 == 0 ? 0 : pool.size() - 1);
}

TEST(Certificates, NoticeAPolicyThatKnowsTheBudget) {
  Policy policy;
  policy.name = "BackDoor";
  policy.choose = through_the_back_door;
  RunSettings settings;
  settings.policy = {&policy, {}, "BackDoor", nullptr};
  const Program program =
      plain_program({{1, 2, {}, {}}, {1, 2, {}, {}}, {1, 2, {}, {}}, {1, 2, {}, {}}, {1, 2, {}, {}}}, {});
  CheckPlan plan = whole_plan(program);
  plan.run = [](const Program& p, const RunSettings& s, Bytes budget, const RunOptions& options) {
    back_door = budget;
    return run(p, s, budget, options);
  };
  const Verdict verdict = verdict_on(program, settings, "certificates", plan);
  EXPECT_EQ(shown(verdict), "ends, budgets 4");
}

TEST(Certificates, NoticeAnExecutionThatGoesOnBeyond) {
  CheckPlan plan = whole_plan(five_operators());
  plan.run = [](const Program& p, const RunSettings& settings, Bytes budget, const RunOptions& options) {
    return run(p, settings, budget == 16 ? 15 : budget, options);
  };
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("DTR"), "certificates", plan)), "too-short, budgets 13");
}

TEST(Certificates, NoticeAMapThatDiffers) {
  CheckPlan plan = whole_plan(five_operators());
  FeasibilityMap map = map_by_executions(five_operators(), settings_with("DTR"), plan.range);
  plan.map = &map;
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("DTR"), "certificates", plan)), "holds");
  for (Execution& e : map.executions)
    if (e.from == 13) e.outcome = Outcome::ok;
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("DTR"), "certificates", plan)), "map, budgets 13");
}

TEST(Certificates, NoticeRunsThatDifferFromTheSweep) {
  const Verdict verdict = doctored("certificates", [](const Program&, Bytes, const RunOptions&, RunResult& result) {
    if (result.outcome == Outcome::ok) ++result.measures.remat_compute;
  });
  EXPECT_EQ(shown(verdict), "map, budgets 11");
  EXPECT_THAT(verdict.violation->text, HasSubstr("merged sweep"));
}

TEST(WitnessReplay, NoticesAnotherExecution) {
  const Verdict verdict = doctored("witness-replay", [](const Program&, Bytes, const RunOptions& o, RunResult& result) {
    if (o.schedule && !o.schedule->empty()) drop_last_decision(result);
  });
  ASSERT_EQ(verdict.ruling, Ruling::violated);
  EXPECT_EQ(verdict.violation->signature.kind, "other-execution");
  EXPECT_EQ(verdict.violation->budgets, std::vector<Bytes>{11});
}

TEST(WitnessReplay, NoticesThatMoreIsNeeded) {
  const Verdict verdict = doctored("witness-replay", [](const Program&, Bytes, const RunOptions& o, RunResult& result) {
    if (o.schedule) ++result.certificate.lo;
  });
  EXPECT_EQ(shown(verdict), "needs-more, budgets 11 12");
}

TEST(WitnessReplay, DoesNotApplyWhereNothingCompletes) {
  CheckPlan plan;
  plan.range = {1, 11};
  const Verdict verdict = verdict_on(five_operators(), settings_with("DTR"), "witness-replay", plan);
  EXPECT_EQ(verdict.ruling, Ruling::not_applicable);
  EXPECT_EQ(verdict.why, "no run completes");
}

TEST(PeakSuffices, NoticesEvictions) {
  CheckPlan plan = whole_plan(five_operators());
  plan.run = [](const Program& p, const RunSettings& settings, Bytes budget, const RunOptions& options) {
    return run(p, settings, budget == 17 ? 16 : budget, options);
  };
  EXPECT_EQ(shown(verdict_on(five_operators(), settings_with("DTR"), "peak-suffices", plan)), "evicts, budgets 17");
}

TEST(PeakSuffices, NoticesRematerializations) {
  const Program program = plain_program({{1, 1, {}, {}}, {1, 1, {0}, {}}}, {0, 1});
  const auto remat = [](const Program&, Bytes, const RunOptions&, RunResult& result) { ++result.measures.remats; };
  EXPECT_EQ(shown(doctored(program, "DTR", "peak-suffices", remat)), "rematerializes, budgets 2");
}

TEST(PeakSuffices, NoticesAnotherExecution) {
  const Verdict verdict =
      doctored("peak-suffices", [](const Program&, Bytes budget, const RunOptions&, RunResult& result) {
        if (budget == 17) drop_last_decision(result);
      });
  ASSERT_EQ(verdict.ruling, Ruling::violated);
  EXPECT_EQ(verdict.violation->signature.kind, "other-execution");
}

TEST(PeakSuffices, AllowsWhatWasReleasedAndIsUsedOnceMore) {
  const Program program = plain_program({{1, 1, {}, {0}}, {1, 1, {0}, {}}}, {1});
  EXPECT_EQ(run(program, settings_with("DTR"), 1'000).measures.remats, 1);
  EXPECT_EQ(shown(verdict_on(program, settings_with("DTR"), "peak-suffices")), "holds");
}

TEST(Renaming, NoticesARunThatReadsNames) {
  const Verdict verdict = doctored("renaming", [](const Program& p, Bytes, const RunOptions&, RunResult& result) {
    if (p.tensor_name(0) != five_operators().tensor_name(0)) drop_last_decision(result);
  });
  ASSERT_EQ(verdict.ruling, Ruling::violated);
  EXPECT_EQ(verdict.violation->signature.kind, "renaming");
}

TEST(Subject, StopsWithAReason) {
  const std::atomic<bool> stop{true};
  CheckPlan plan = whole_plan(five_operators());
  plan.stop = &stop;
  const Subject subject(five_operators(), settings_with("DTR"), plan);
  for (const Property& property : properties()) {
    const Verdict verdict = check_property(property, subject);
    EXPECT_EQ(verdict.ruling, Ruling::unresolved) << property.name;
    EXPECT_EQ(verdict.why, kInterrupted) << property.name;
  }
}

TEST(Properties, HaveTheirReasonsAndTheirOwnNames) {
  for (const Property& property : properties()) {
    EXPECT_EQ(find_property(property.name), &property);
    EXPECT_FALSE(property.sentence.empty() || property.reason.empty() || property.kinds.empty()) << property.name;
  }
  EXPECT_EQ(find_property("no-hol"), nullptr);
}

TEST(Signatures, AreTheSameFaultWhereverItIs) {
  const Signature one{"no-hole", "DTR", "hole", 4}, moved{"no-hole", "DTR", "hole", 2};
  EXPECT_TRUE(same_fault(one, moved));
  EXPECT_FALSE(one == moved);
  EXPECT_FALSE(same_fault(one, {"no-hole", "LRU", "hole", 4}));
  EXPECT_FALSE(same_fault(one, {"inclusion", "DTR", "held", 4}));
}

}  // namespace
}  // namespace pothole
