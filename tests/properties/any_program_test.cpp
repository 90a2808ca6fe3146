// Every property on every policy over random programs. What is a contract must hold; what is a finding must be
// one: its evidence is tried out, with single runs.
#include "tests/support/any_program.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "engine/parallel.h"
#include "tests/support/subjects.h"

namespace pothole {
namespace {

// Held by all policies of the list, though another policy might not.
constexpr std::string_view kHeldByAll[] = {"padding", "scaling", "unused-tensor"};

bool is_about_another_program(const Property& property) {
  return std::find(std::begin(kHeldByAll), std::end(kHeldByAll), property.name) != std::end(kHeldByAll);
}

bool held_by_all(const Property& property, const RunSettings& settings) {
  if (property.breach == Breach::contract) return true;
  // What is locked is a share of the budget and of the number of storages.
  if (settings.policy.policy->needs.has(Feature::centrality)) return false;
  // An unused tensor that stays in the pool has a score of zero, which ends the scan; classes have negative ones.
  if (property.name == "unused-tensor" && settings.dealloc == Dealloc::ignore) return false;
  return is_about_another_program(property);
}

std::string wrong_evidence(const Program& program, const RunSettings& settings, const Violation& v) {
  const auto outcome = [&](Bytes budget) { return run(program, settings, budget).outcome; };
  if (v.signature.kind == "hole") {
    const bool is_hole = outcome(v.budgets[0]) == Outcome::ok && outcome(v.budgets[1]) == Outcome::oom &&
                         outcome(v.budgets[2]) == Outcome::ok;
    return is_hole ? "" : "no hole";
  }
  if (v.signature.kind == "cost-inversion") {
    const RunResult less = run(program, settings, v.budgets[0]), more = run(program, settings, v.budgets[1]);
    const bool inverted = less.outcome == Outcome::ok && more.outcome == Outcome::ok &&
                          less.measures.remat_compute < more.measures.remat_compute;
    return inverted ? "" : "no inversion";
  }
  return v.budgets.size() == 2 && v.budgets[0] < v.budgets[1] && v.storages.size() == 1 ? "" : "no two budgets";
}

TEST(ThreadsAnyProgram, HasEveryContractUnderEveryPolicy) {
  std::map<std::string, int> rulings;
  EXPECT_TRUE(rc::check("contracts hold and findings are real", [&](bool ignore, bool low_limit) {
    const ProgramSeed seed = *any_program_seed(25);
    const Program program = seed.program();
    for (const Policy& policy : policies()) {
      RunSettings settings = settings_with(std::string(policy.name), ignore ? Dealloc::ignore : Dealloc::eager);
      if (low_limit) settings.overhead_limit = OverheadLimit::parse("1.5").value();
      const Subject subject(program, settings, whole_plan(program));
      for (const Property& property : properties()) {
        const Verdict verdict = check_property(property, subject);
        ++rulings[std::string(property.name) + " " + std::string(name_of(verdict.ruling))];
        RC_ASSERT(verdict.ruling != Ruling::unresolved);
        if (verdict.ruling != Ruling::violated) continue;
        const std::string what =
            std::string(policy.name) + ", " + std::string(property.name) + ": " + verdict.violation->text;
        if (held_by_all(property, settings)) RC_FAIL(what);
        if (is_about_another_program(property)) continue;  // whose runs are not at hand
        if (const std::string wrong = wrong_evidence(program, settings, *verdict.violation); !wrong.empty())
          RC_FAIL(what + ": " + wrong);
      }
    }
  }));
  for (const Property& property : properties())
    EXPECT_GT(rulings[std::string(property.name) + " holds"], 100) << property.name;
  for (const char* found : {"no-cost-inversion violated", "inclusion violated"}) EXPECT_GT(rulings[found], 10) << found;
}

// Holes are rare and come in bunches, so that whether random seeds have enough of them is a matter of luck.
TEST(AnyProgram, SomeOfAFixedSetHaveHolesUnderEveryKindOfPolicy) {
  for (const char* policy : {"DTR", "LRU", "TwoPhase", "HEStar"}) {
    int holes = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const Program program = ProgramSeed{seed, 25}.program();
      const RunSettings settings = settings_with(policy, Dealloc::eager);
      const Subject subject(program, settings, whole_plan(program));
      const Verdict verdict = check_property(*find_property("no-hole"), subject);
      if (verdict.ruling != Ruling::violated) continue;
      ++holes;
      EXPECT_EQ(wrong_evidence(program, settings, *verdict.violation), "") << policy << ", seed " << seed;
    }
    std::cout << policy << ": " << holes << " of 400 programs have a hole\n";
    EXPECT_GT(holes, 0) << policy;
  }
}

TEST(ThreadsAnyProgram, HasTheSameVerdictsWhateverTheThreads) {
  EXPECT_TRUE(rc::check("verdicts do not depend on threads", [](bool sampled) {
    const Program program = (*any_program_seed(9)).program();
    std::vector<const Property*> all;
    for (const Property& property : properties()) all.push_back(&property);
    CheckPlan plan = whole_plan(program);
    plan.sample = sampled ? 3 : 64;
    std::string texts[2];
    for (const unsigned threads : {1u, 2u}) {
      with_threads(threads, [&] {
        const Subject subject(program, settings_with("DTR"), plan);
        for (const Verdict& v : check_properties(all, subject))
          texts[threads - 1] += shown(v) + "; " + std::to_string(v.coverage.checked) + "\n";
      });
    }
    RC_ASSERT(texts[0] == texts[1]);
  }));
}

}  // namespace
}  // namespace pothole
