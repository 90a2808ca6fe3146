// The engine against the slow model: on random programs, and on all tiny ones.
//
// The two share nothing but the program, so an agreement on every measure, victim and certificate
// means that the text was read the same way twice.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <atomic>
#include <iostream>

#include "engine/parallel.h"
#include "engine/run.h"
#include "engine/scores/score_policy.h"
#include "tests/model/slow_model.h"
#include "tests/support/any_program.h"
#include "tests/support/certificate_check.h"
#include "tests/support/conformance.h"
#include "tests/support/tiny_programs.h"

namespace pothole {
namespace {

// One policy as both sides name it.
struct Contender {
  std::string text;  // for the engine
  SlowPolicy slow;
  ConfiguredPolicy configured;
};

Contender contender(const std::string& text, const SlowPolicy& slow) {
  PolicyError error;
  Contender made{text, slow, slow.score.empty() ? configure_policy(text, error) : configure_score(text, error)};
  if (made.configured.policy == nullptr) throw std::runtime_error(text + ": " + error.what);
  return made;
}

// Every variable, operator and function; lazily scanned with and without shortlists, and in order; exact to
// the end, in part, and not at all; some are NaN now and then.
constexpr const char* kScores[] = {
    "(c + e) / (m * s)",
    "(c + ef) / (m * s)",
    "(c + er) / s^2",
    "(c + q) / (m * s)",
    "c / m + e / s",
    "(c + e) / (m * s) * (1 + 0.25 * n)",
    "(c + e) / (m * s) * (1 + k)",
    "(1.0 + k) * ((c + ef) / m)",
    "(c + e) / (m * sqrt(s))",
    "n ^ 1.5 / log(s + 2)",
    "(c + er) * exp(0 - m / 100)",
    "c + ef - s",
    "e - c",
    "-(e + 1) ^ 3 / (m + 1)",
    "max(c, er) / max(m, need)",
    "need > m ? c / s : e / m",
    "m >= need ? (c + e) / s : 1e30 + (c + e)",
    "abs(m - need) * (n + 1)",
    "a * d + x",
    "(c + e + a) / (m * s + x)",
    "(c + e + resident) / (m * clock)",
    "min(c, e, s) == 0 ? n : x != d",
    "(c + e) ^ 2 / (m * s) ^ 3",
    "1 / (c / s) + 1 / (1 + m)",
    "(c + e) / (m - s)",
    "log(e - c)",
    "sqrt(s - c) + n",
    "2 ^ -n",
};

// Every policy of the engine under each of its names, but for those that draw; and a few parameters.
std::vector<Contender> all_contenders() {
  std::vector<Contender> all;
  for (const Policy& policy : policies()) {
    if (policy.needs.has(Feature::random)) continue;
    all.push_back(contender(std::string(policy.name), {.name = std::string(policy.name)}));
    if (!policy.alias.empty()) all.push_back(contender(std::string(policy.alias), {.name = std::string(policy.alias)}));
  }
  const std::size_t of_the_list = all.size();
  for (const Comparison comparison : {Comparison::exact, Comparison::naive}) {
    for (std::size_t i = 0; i < of_the_list; ++i) {
      all.push_back(all[i]);
      all.back().slow.comparison = comparison;
    }
  }
  for (const char* score : kScores)
    for (const Comparison comparison : {Comparison::reference, Comparison::exact, Comparison::naive})
      all.push_back(contender(score, {.name = {}, .score = score, .comparison = comparison}));
  all.push_back(contender("NbhdPenalty@b=1.5", {.name = "NbhdPenalty", .penalty = 1.5}));
  all.push_back(contender("TwoPhase@k=1", {.name = "TwoPhase", .largest = 1}));
  all.push_back(contender("TwoPhase@k=2", {.name = "TwoPhase", .largest = 2}));
  all.push_back(contender("ThrashPen@a=0.3", {.name = "ThrashPen", .thrash_penalty = 0.3}));
  all.push_back(contender("TieAware@rel=0.5", {.name = "TieAware", .tie = 0.5}));
  all.push_back(contender("TControlInspired@alpha=0.9,floor=0.2",
                          {.name = "TControlInspired", .locked_share = 0.9, .locked_floor = 0.2}));
  return all;
}

const std::vector<Contender>& contenders() {
  static const std::vector<Contender> kAll = all_contenders();
  return kAll;
}

// So that small pools get shortlists.
constexpr std::uint32_t kShortShortlist = 4;

struct Setting {
  const Contender* policy = nullptr;
  Dealloc dealloc = Dealloc::eager;
  std::string overhead_limit = "60";
  std::uint32_t shortlist_from = 200;
};

std::string name_of_setting(const Setting& setting, Bytes budget) {
  return setting.policy->text + ", comparison " + std::string(name_of(setting.policy->slow.comparison)) + ", dealloc " +
         std::string(name_of(setting.dealloc)) + ", overhead limit " + setting.overhead_limit + ", shortlists from " +
         std::to_string(setting.shortlist_from) + ", budget " + std::to_string(budget);
}

RunSettings engine_settings(const Setting& setting) {
  RunSettings settings;
  settings.policy = setting.policy->configured;
  settings.dealloc = setting.dealloc;
  settings.overhead_limit = overhead_limit_of(setting.overhead_limit);
  settings.comparison = setting.policy->slow.comparison;
  settings.shortlist_from = setting.shortlist_from;
  return settings;
}

// The difference, or nothing; gives the model's result.
std::string disagreement(const Program& program, const Setting& setting, Bytes budget, RunResult& expected) {
  RunOptions options;
  options.record_victims = true;
  const SlowSettings slow{setting.policy->slow, setting.dealloc, overhead_limit_of(setting.overhead_limit)};
  expected = run_slowly(program, slow, budget);
  const std::string fields = difference(expected, run(program, engine_settings(setting), budget, options));
  if (fields.empty()) return "";
  return name_of_setting(setting, budget) + "\n" + fields;
}

// If the policy can be run so; else the usual one.
void release_by(Setting& setting, Dealloc dealloc) {
  RunSettings settings;
  settings.policy = setting.policy->configured;
  settings.dealloc = dealloc;
  if (why_not_runnable(settings).empty()) setting.dealloc = dealloc;
}

Setting any_setting(SplitMix& random) {
  constexpr std::array<const char*, 5> kLimits = {"60", "60", "2", "1.5", "1.000000001"};
  Setting setting;
  setting.policy =
      &contenders()[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(contenders().size()) - 1))];
  release_by(setting, random.chance(25) ? Dealloc::ignore : random.chance(50) ? Dealloc::banish : Dealloc::eager);
  setting.overhead_limit = kLimits[static_cast<std::size_t>(random.between(0, kLimits.size() - 1))];
  if (random.chance(50)) setting.shortlist_from = kShortShortlist;
  return setting;
}

// Mostly where a run is likely to get along by evicting.
Bytes any_budget(const Program& program, Bytes peak, SplitMix& random) {
  const Bytes least = random.chance(80) ? std::min(program.bottleneck(), peak) : 0;
  return random.between(least, peak);
}

struct Tally {
  std::array<std::atomic<std::int64_t>, 5> outcomes{};
  std::atomic<std::int64_t> runs{0}, evicting{0}, rematerializing{0};

  void count(const RunResult& result) {
    ++runs;
    ++outcomes[static_cast<std::size_t>(result.outcome)];
    evicting += result.measures.evictions_by_policy > 0;
    rematerializing += result.measures.remats > 0;
  }

  void print() const {
    std::cout << runs << " runs: " << outcomes[0] << " ok, " << outcomes[1] << " oom, " << outcomes[2] << " thrashed, "
              << outcomes[3] << " need what was banished, " << outcomes[4] << " policy error; " << evicting
              << " evict, " << rematerializing << " rematerialize\n";
  }
};

void expect_none(const std::vector<std::string>& failures) {
  std::size_t shown = 0;
  for (const std::string& failure : failures)
    if (!failure.empty() && ++shown <= 5) ADD_FAILURE() << failure;
}

// From one budget to its neighbours: the ends of a certificate are where mistakes show.
std::string disagreement_around(const Program& program, const Setting& setting, Bytes budget, SplitMix& random,
                                Tally& tally) {
  for (int step = 0; step < 4; ++step) {
    RunResult expected;
    if (std::string wrong = disagreement(program, setting, budget, expected); !wrong.empty()) return wrong;
    tally.count(expected);
    const auto [lo, hi] = expected.certificate;
    const bool up = random.chance(60);
    if (up ? hi == Certificate::kUnbounded : lo == 0) return "";
    budget = up ? hi : lo - 1;
  }
  return "";
}

void compare_on_random_programs(std::uint64_t first_seed, std::size_t count, std::int64_t operators_max) {
  std::vector<std::string> failures(count);
  Tally tally;
  parallel_for(count, [&](std::size_t i) {
    const std::uint64_t seed = first_seed + i;
    SplitMix random(seed);
    const std::int64_t operators = random.between(2, operators_max);
    const Program program = random_program(seed, operators);
    const Bytes peak = slow_peak_of(program);
    for (int choice = 0; choice < 6 && failures[i].empty(); ++choice) {
      const Setting setting = any_setting(random);
      const Bytes budget = any_budget(program, peak, random);
      failures[i] = disagreement_around(program, setting, budget, random, tally);
    }
    if (!failures[i].empty())
      failures[i] +=
          "random_program(" + std::to_string(seed) + "u, " + std::to_string(operators) + "):\n" + listing(program);
  });
  expect_none(failures);
  tally.print();
  for (std::size_t outcome = 0; outcome < 3; ++outcome) EXPECT_GT(tally.outcomes[outcome], tally.runs / 200);
  EXPECT_GT(tally.rematerializing, tally.runs / 10);
}

TEST(EngineAgainstModel, SmallRandomPrograms) { compare_on_random_programs(1, 20000, 12); }

TEST(EngineAgainstModel, LargerRandomPrograms) { compare_on_random_programs(1'000'000, 1500, 60); }

TEST(EngineAgainstModel, AnyProgramOfAnyKind) {
  EXPECT_TRUE(rc::check("engine and model agree", [](std::uint64_t choices) {
    const ProgramSeed seed = *any_program_seed(16);
    const Program program = seed.program();
    SplitMix random(choices);
    const Setting setting = any_setting(random);
    const Bytes budget = any_budget(program, slow_peak_of(program), random);
    RunResult expected;
    const std::string wrong = disagreement(program, setting, budget, expected);
    if (!wrong.empty()) RC_FAIL(wrong);
  }));
}

// The engine against itself; here the policies that draw take part.
TEST(EngineAgainstModel, CertificatesOfAnyProgram) {
  EXPECT_TRUE(rc::check("a certificate holds exactly in its interval", [](std::uint64_t choices) {
    const ProgramSeed seed = *any_program_seed(24);
    const Program program = seed.program();
    const Bytes peak = slow_peak_of(program);
    SplitMix random(choices);
    for (const Policy& policy : policies()) {
      PolicyError error;
      RunSettings settings = engine_settings(any_setting(random));
      settings.policy = configure_policy(policy.name, error);
      if (!why_not_runnable(settings).empty()) settings.dealloc = Dealloc::eager;
      settings.seed = choices;
      const Bytes budget = any_budget(program, peak, random);
      const std::string wrong = broken_certificate(program, settings, budget, random);
      if (!wrong.empty()) RC_FAIL(std::string(policy.name) + "\n" + wrong);
    }
  }));
}

// Every budget from 0 to the peak, for every program within the bounds; the policies take turns.
void compare_on_tiny_programs(const TinyBounds& bounds, std::size_t policies_each) {
  constexpr std::size_t kBatch = 4096;
  std::vector<Program> batch;
  Tally tally;
  std::vector<std::string> failures;
  std::size_t turn = 0;
  const auto work_off = [&] {
    std::vector<std::string> found(batch.size());
    parallel_for(batch.size(), [&](std::size_t i) {
      const Bytes peak = slow_peak_of(batch[i]);
      for (std::size_t p = 0; p < policies_each; ++p) {
        const std::size_t choice = (turn + i) * policies_each + p;
        Setting setting;
        setting.policy = &contenders()[choice % contenders().size()];
        constexpr Dealloc kTurns[] = {Dealloc::eager, Dealloc::banish, Dealloc::eager, Dealloc::ignore};
        release_by(setting, kTurns[choice / contenders().size() % 4]);
        setting.overhead_limit = choice / contenders().size() % 3 == 2 ? "2" : "60";
        if (choice / contenders().size() % 2 == 1) setting.shortlist_from = kShortShortlist;
        for (Bytes budget = 0; budget <= peak && found[i].empty(); ++budget) {
          RunResult expected;
          found[i] = disagreement(batch[i], setting, budget, expected);
          tally.count(expected);
        }
      }
      if (!found[i].empty()) found[i] += listing(batch[i]);
    });
    for (std::string& failure : found)
      if (!failure.empty() && failures.size() < 5) failures.push_back(std::move(failure));
    turn += batch.size();
    batch.clear();
  };
  const std::uint64_t programs = for_each_tiny_program(bounds, [&](const Program& program) {
    batch.push_back(program);
    if (batch.size() == kBatch) work_off();
  });
  work_off();
  expect_none(failures);
  std::cout << programs << " programs, ";
  tally.print();
  EXPECT_GT(programs, 0u);
}

TEST(EngineAgainstModel, AllProgramsOfOneOperator) {
  compare_on_tiny_programs({.operators = 1, .outputs_max = 3}, contenders().size());
}

TEST(EngineAgainstModel, AllProgramsOfTwoOperators) { compare_on_tiny_programs({.operators = 2}, 32); }

TEST(EngineAgainstModel, AllProgramsOfTwoOperatorsWithSeveralOutputs) {
  compare_on_tiny_programs({.operators = 2, .size_min = 1, .cost_min = 1, .outputs_max = 2}, 4);
}

TEST(EngineAgainstModel, AllProgramsOfThreeOperators) { compare_on_tiny_programs({.operators = 3}, 2); }

TEST(EngineAgainstModel, AllProgramsOfThreeOperatorsWithSeveralOutputsNeverReleased) {
  TinyBounds bounds = {.operators = 3, .size_min = 1, .size_max = 1, .cost_min = 1, .cost_max = 1, .outputs_max = 2};
  bounds.releases = false;
  compare_on_tiny_programs(bounds, 4);
}

TEST(EngineAgainstModel, AllProgramsOfFourOperatorsOfOneSizeAndCost) {
  const TinyBounds bounds = {.operators = 4, .size_min = 1, .size_max = 1, .cost_min = 1, .cost_max = 1};
  compare_on_tiny_programs(bounds, 4);
}

}  // namespace
}  // namespace pothole
