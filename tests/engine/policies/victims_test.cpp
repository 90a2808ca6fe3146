// One decision worked by hand for every policy, and what the policies with parameters or a seed add.
//
// In the program of `FiveStorages` the pool holds five storages, in this order, when the last operator
// asks for room at clock 350 (c compute, m size, s staleness, F and R the evicted neighbourhood):
//
//        c    m    s   last access   evicted neighbours
//   t0  90   25  259        91       none
//   t3  30   20  125       225       none
//   t4   5    5  120       230       F: t5, compute 40
//   t6  80   40    0       350       none
//   t2   4   10   80       270       R: t1, compute 100
//
// They fill 100 bytes, which is the budget.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "engine/program_builder.h"
#include "engine/run.h"

namespace pothole {
namespace {

class Sketch {
 public:
  TensorId add(Cost cost, Bytes size, std::vector<TensorId> arguments = {}) {
    const auto tensor = static_cast<TensorId>(builder_.tensor_count());
    if (const auto error = builder_.add_operator("f", cost, std::move(arguments), {{size, -1, ""}}))
      throw std::logic_error(error->what);
    return tensor;
  }
  void release(TensorId tensor) {
    if (const auto error = builder_.release(tensor)) throw std::logic_error(error->what);
  }
  void pin(TensorId tensor) {
    if (const auto error = builder_.pin(tensor)) throw std::logic_error(error->what);
  }
  Program finish() { return builder_.finish(); }

 private:
  ProgramBuilder builder_;
};

constexpr Bytes kBudget = 100;

Program five_storages(Bytes request) {
  Sketch sketch;
  sketch.add(90, 25);                           // t0, clock 91
  const TensorId t1 = sketch.add(100, 8);       // clock 191
  const TensorId t2 = sketch.add(4, 10, {t1});  // clock 195
  sketch.release(t1);
  sketch.add(30, 20);                           // t3, clock 225
  const TensorId t4 = sketch.add(5, 5);         // clock 230
  const TensorId t5 = sketch.add(40, 1, {t4});  // clock 270
  sketch.release(t5);
  sketch.add(80, 40, {t2});  // t6, clock 350
  sketch.add(1, request);    // t7
  return sketch.finish();
}

RunSettings settings_of(const std::string& policy, std::uint64_t seed = 0) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::logic_error(error.what);
  settings.seed = seed;
  return settings;
}

std::vector<TensorId> victims(const Program& program, const RunSettings& settings, Bytes budget) {
  RunOptions options;
  options.record_victims = true;
  return run(program, settings, budget, options).victims;
}

TensorId first_victim(Bytes request, const std::string& policy) {
  return victims(five_storages(request), settings_of(policy), kBudget).at(0);
}

struct Worked {
  TensorId victim;
  const char* why;
};

const std::map<std::string, Worked> kFirstVictims = {
    {"DTR",
     {3, "t0 90/(25*259) = .0139, t3 30/(20*125) = .0120, t4 45/(5*120) = .075, t2 104/(10*80) = .13, t6 infinite"}},
    {"DTREqClass", {3, "the class of t5 is worth 40, that of t1 100: as DTR"}},
    {"DTRUnopt", {3, "t5 was accessed at 270, so that t4 has 45/(5*80) = .1125; the others as DTR"}},
    {"DTRLocal", {2, "t0 .0139, t3 .0120, t4 5/(5*120) = .0083, t2 4/(10*80) = .0050, t6 infinite"}},
    {"MSPS", {4, "t0 90/25 = 3.6, t3 30/20 = 1.5, t4 5/5 = 1, t2 104/10 = 10.4, t6 80/40 = 2"}},
    {"LRU", {0, "t0 was accessed at 91, before all others"}},
    {"LargestStorage", {6, "t6 has 40 bytes"}},
    {"HEStar", {0, "t0 has no evicted neighbour, and a score of 0 ends the scan"}},
    {"CostStale", {3, "t0 90/259 = .347, t3 30/125 = .24, t4 45/120 = .375, t2 104/80 = 1.3, t6 infinite"}},
    {"NbhdPenalty", {3, "as DTR, t4 and t2 a quarter more"}},
    {"TieAware", {3, "no other score is within a millionth of that of t3"}},
    {"TControlInspired", {3, "one of eight storages is locked: t2, the only one between two others"}},
    {"FIFO", {0, "t0 came at 91, t2 at 195, t3 at 225, t4 at 230, t6 at 350"}},
    {"Belady", {2, "none is used again, and t2 is the last in the pool"}},
    {"ThrashPen", {3, "none of them was evicted before: as DTR"}},
    {"TwoPhase", {3, "one byte is missing, so all are candidates: as CostStale"}},
    {"AbE", {3, "t0 90, t3 30, t4 45, t2 104, t6 80"}},
    {"AbESize", {3, "t0 3.6, t3 1.5, t4 45/5 = 9, t2 10.4, t6 2"}},
    {"AbEStale", {3, "as CostStale"}},
    {"AbEq", {3, "as AbE"}},
    {"AbEqSize", {3, "as AbESize"}},
    {"AbEqStale", {3, "as CostStale"}},
    {"AbLocal", {2, "t0 90, t3 30, t4 5, t2 4, t6 80"}},
    {"AbLocalSize", {2, "t0 3.6, t3 1.5, t4 1, t2 4/10 = .4, t6 2"}},
    {"AbLocalStale", {4, "t0 .347, t3 .24, t4 5/120 = .042, t2 4/80 = .05, t6 infinite"}},
    {"AbSizeStale", {0, "t0 has 25 * 259, the largest product"}},
    {"AbStale", {0, "t0 is the stalest"}},
};

TEST(Victims, EveryPolicyDecidesAsWorkedByHand) {
  for (const Policy& policy : policies()) {
    if (policy.needs.has(Feature::random)) continue;
    const auto worked = kFirstVictims.find(std::string(policy.name));
    ASSERT_NE(worked, kFirstVictims.end()) << policy.name << " has no hand-worked decision here";
    EXPECT_EQ(first_victim(1, worked->first), worked->second.victim) << worked->first << ": " << worked->second.why;
  }
}

TEST(Victims, TwoPhaseConsidersOnlyStoragesThatCoverTheShortfall) {
  EXPECT_EQ(first_victim(20, "TwoPhase"), 3u);  // t0, t3 and t6 are candidates
  EXPECT_EQ(first_victim(21, "TwoPhase"), 0u);  // t0 and t6
  EXPECT_EQ(first_victim(26, "TwoPhase"), 6u);  // t6 alone, although its score is infinite
}

TEST(Victims, TwoPhaseFallsBackToTheLargest) {
  EXPECT_EQ(first_victim(41, "TwoPhase"), 3u);      // none covers it: all five, being at most eight
  EXPECT_EQ(first_victim(41, "TwoPhase@k=3"), 3u);  // t6, t0, t3
  EXPECT_EQ(first_victim(41, "TwoPhase@k=2"), 0u);
  EXPECT_EQ(first_victim(41, "TwoPhase@k=1"), 6u);
  // The shortfall is taken afresh: 41 bytes less the 20 of t3 are covered by t0.
  const std::vector<TensorId> both = {3, 0};
  EXPECT_EQ(victims(five_storages(41), settings_of("TwoPhase"), kBudget), both);
}

TEST(Victims, TwoPhaseBreaksTiesBySizeThenAge) {
  Sketch sketch;
  for (const Bytes size : {1, 3, 3, 2}) sketch.add(0, size);
  sketch.add(0, 1);
  EXPECT_EQ(victims(sketch.finish(), settings_of("TwoPhase"), 9).at(0), 1u);  // all scores are infinite
}

TEST(Victims, APenaltyChangesADecision) {
  Sketch sketch;
  const TensorId t0 = sketch.add(14, 1);
  sketch.add(4, 10, {t0});
  sketch.release(t0);
  sketch.add(10, 10);
  sketch.add(10, 1);
  sketch.add(1, 1);
  const Program program = sketch.finish();
  // At clock 39 t1 has 18/(10*20) = .09 and one evicted neighbour, t2 10/(10*10) = .1 and none.
  const auto victim = [&](const std::string& policy) { return victims(program, settings_of(policy), 21).at(0); };
  EXPECT_EQ(victim("DTR"), 1u);
  EXPECT_EQ(victim("NbhdPenalty@b=0"), 1u);
  EXPECT_EQ(victim("NbhdPenalty@b=0.1"), 1u);
  EXPECT_EQ(victim("NbhdPenalty@b=0.12"), 2u);
  EXPECT_EQ(victim("NbhdPenalty"), 2u);
}

TEST(Victims, ThrashPenSparesWhatWasEvictedBefore) {
  Sketch sketch;
  const TensorId t0 = sketch.add(10, 10);
  sketch.add(12, 10);
  sketch.add(15, 10);
  sketch.add(1, 1, {t0});
  sketch.add(1, 1);
  const Program program = sketch.finish();
  // At clock 23 t0 goes, and comes back in place of t1. At clock 49 it has 10/(10*11) = .091 and was evicted
  // once, t2 has 15/(10*11) = .136.
  const auto last_victim = [&](const std::string& policy) {
    const std::vector<TensorId> all = victims(program, settings_of(policy), 21);
    EXPECT_EQ(all.size(), 3u);
    return all.at(2);
  };
  EXPECT_EQ(last_victim("DTR"), 0u);
  EXPECT_EQ(last_victim("ThrashPen@a=0"), 0u);
  EXPECT_EQ(last_victim("ThrashPen@a=0.49"), 0u);
  EXPECT_EQ(last_victim("ThrashPen@a=0.51"), 2u);
  EXPECT_EQ(last_victim("ThrashPen"), 2u);
}

TEST(Victims, TieAwareTakesTheLargestWithinTheBand) {
  // t0 has 25 bytes, t3 20; their scores are 1.158 apart.
  EXPECT_EQ(first_victim(1, "TieAware@rel=0.15"), 3u);
  EXPECT_EQ(first_victim(1, "TieAware@rel=0.16"), 0u);
  Sketch sketch;
  for (const Bytes size : {1, 3, 3, 2}) sketch.add(0, size);
  sketch.add(0, 1);
  // All are infinite.
  EXPECT_EQ(victims(sketch.finish(), settings_of("TieAware"), 9).at(0), 1u);
  Sketch zeros;
  for (const Bytes size : {1, 3, 3, 2}) zeros.add(0, size);
  zeros.add(5, 1);
  zeros.add(0, 1);
  // Four are exactly 0: that does not end the search.
  const Program program = zeros.finish();
  EXPECT_EQ(victims(program, settings_of("DTR"), 10).at(0), 0u);
  EXPECT_EQ(victims(program, settings_of("TieAware"), 10).at(0), 1u);
}

// A chain of four storages and one beside it: t1 is passed through by t0-t2 and t0-t3, t2 by t0-t3 and t1-t3.
Program chain_of_four() {
  Sketch sketch;
  const TensorId t0 = sketch.add(10, 10);
  const TensorId t1 = sketch.add(1, 10, {t0});
  const TensorId t2 = sketch.add(2, 10, {t1});
  sketch.add(40, 10, {t2});  // t3
  sketch.add(10, 5);         // t4: clock 64
  return sketch.finish();
}

TEST(Victims, TControlInspiredLocksMoreTheMoreIsFree) {
  const Program program = chain_of_four();
  const auto first_at = [&](const std::string& policy, Bytes budget) {
    return victims(program, settings_of(policy), budget).at(0);
  };
  // t4 does not fit into 44 bytes: 40 are resident, 4 of 44 free. t1 has 1/(10*42), t2 2/(10*40), t0 10/(10*43).
  EXPECT_EQ(first_at("DTR", 44), 1u);
  EXPECT_EQ(first_at("TControlInspired@alpha=0,floor=0", 44), 1u);
  EXPECT_EQ(first_at("TControlInspired@alpha=0,floor=0.1", 44), 2u);   // ceil(0.5): t1 is locked
  EXPECT_EQ(first_at("TControlInspired@alpha=0,floor=0.3", 44), 0u);   // t1 and t2
  EXPECT_EQ(first_at("TControlInspired@alpha=0,floor=0.41", 44), 3u);  // and t0
  EXPECT_EQ(first_at("TControlInspired@alpha=0,floor=0.9", 44), 1u);   // all that there are
  // One is locked where anything is free.
  EXPECT_EQ(first_at("TControlInspired@alpha=1,floor=0", 40), 1u);
  EXPECT_EQ(first_at("TControlInspired@alpha=1,floor=0", 41), 2u);
  EXPECT_EQ(run(program, settings_of("TControlInspired@alpha=1,floor=0"), 40).certificate, (Certificate{40, 41}));
  EXPECT_EQ(run(program, settings_of("TControlInspired@alpha=1,floor=0"), 41).certificate, (Certificate{41, 45}));
  EXPECT_EQ(run(program, settings_of("TControlInspired@alpha=0,floor=0.1"), 41).certificate, (Certificate{40, 45}));
}

TEST(Victims, FifoForgetsAStorageThatWentAndIgnoresUses) {
  Sketch sketch;
  const TensorId t0 = sketch.add(1, 10);
  const TensorId t1 = sketch.add(1, 10);
  sketch.add(1, 1, {t0});   // t2, size 1
  sketch.add(1, 10);        // t3: t0 goes, although it was used last
  sketch.add(1, 1, {t0});   // t4: t0 comes back in place of t1
  sketch.add(1, 10, {t1});  // t1 comes back in place of t2 and t3, t5 in place of t0
  const std::vector<TensorId> expected = {0, 1, 2, 3, 0};
  EXPECT_EQ(victims(sketch.finish(), settings_of("FIFO"), 22), expected);
}

TEST(Victims, BeladyKnowsWhatIsUsedLast) {
  Sketch sketch;
  for (int i = 0; i < 6; ++i) sketch.add(1, 1);
  sketch.add(1, 4);  // t6 needs room for four
  sketch.add(1, 0, {2});
  sketch.add(1, 0, {0, 2});
  sketch.add(1, 0, {1});
  sketch.pin(4);
  sketch.pin(3);
  const Program program = sketch.finish();
  std::vector<TensorId> all = victims(program, settings_of("Belady"), 6);
  all.resize(4);
  // Never used again; pinned second; pinned first; the last operator.
  const std::vector<TensorId> expected = {5, 3, 4, 1};
  EXPECT_EQ(all, expected);
}

TEST(Victims, TheLastOfEqualScoresIsChosenButTheFirstZero) {
  Sketch sketch;
  for (int i = 0; i < 4; ++i) sketch.add(0, 1);
  sketch.add(0, 1);
  // All have last access 1, one size and staleness 0: only LRU's integer, 1/m and infinities tie.
  const Program program = sketch.finish();
  for (const char* policy : {"LRU", "LargestStorage", "DTR"})
    EXPECT_EQ(victims(program, settings_of(policy), 4).at(0), 3u) << policy;
  // Here all scores are exactly 0, and the first ends the scan.
  for (const char* policy : {"AbE", "AbLocalSize", "HEStar"})
    EXPECT_EQ(victims(program, settings_of(policy), 4).at(0), 0u) << policy;
}

TEST(Victims, RandomChoicesFollowTheSeedAndEveryOrderOccurs) {
  const Program program = five_storages(kBudget);  // all five have to go
  std::set<std::vector<TensorId>> orders;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const auto once = victims(program, settings_of("RandomStorage", seed), kBudget);
    ASSERT_EQ(once, victims(program, settings_of("RandomStorage", seed), kBudget));
    ASSERT_EQ(once.size(), 5u);
    orders.insert(once);
  }
  EXPECT_EQ(orders.size(), 120u);
}

TEST(Victims, RandomChoicesAreUniform) {
  constexpr int kSeeds = 5000;
  const Program program = five_storages(1);
  std::map<TensorId, int> counts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    ++counts[victims(program, settings_of("RandomStorage", seed), kBudget).at(0)];
  ASSERT_EQ(counts.size(), 5u);
  double chi_squared = 0;
  for (const auto& [victim, count] : counts) chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_squared, 18.5);  // 4 degrees of freedom: once in a thousand
}

}  // namespace
}  // namespace pothole
