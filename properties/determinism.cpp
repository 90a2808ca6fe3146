// determinism: a run is a function of program, settings and budget alone.
#include "engine/parallel.h"
#include "properties/compare.h"
#include "properties/registry.h"

namespace pothole {
namespace {

constexpr std::string_view kRepeated = "repeated", kReordered = "reordered", kParallel = "parallel";
constexpr std::string_view kKinds[] = {kRepeated, kReordered, kParallel};

Verdict same(const Subject& subject, const CheckedRun& run, std::string_view kind, std::string_view what) {
  const Expected expected{kind, what, run.result.certificate, run.result.measures};
  return verdict_of_same(subject, run, subject.run(run.budget), expected);
}

// Runs that a limit ended say nothing: they are left to verdict_of_runs.
bool ended(const CheckedRun& run) { return is_evidence(run.result.outcome); }

Verdict check(const Subject& subject) {
  const std::vector<CheckedRun>& runs = subject.runs();
  std::vector<Verdict> verdicts(runs.size());
  const auto fine = [&](std::size_t i) { return verdicts[i].ruling == Ruling::holds; };
  for (std::size_t i = runs.size(); i-- > 0;) {
    if (!ended(runs[i])) continue;
    verdicts[i] = same(subject, runs[i], kReordered, "a run after those of larger budgets");
    if (fine(i)) verdicts[i] = same(subject, runs[i], kRepeated, "a second run");
  }
  parallel_for(runs.size(), [&](std::size_t i) {
    if (ended(runs[i]) && fine(i)) verdicts[i] = same(subject, runs[i], kParallel, "a run beside others");
  });
  return verdict_of_runs(subject,
                         [&](const CheckedRun& run) { return verdicts[static_cast<std::size_t>(&run - runs.data())]; });
}

}  // namespace

Property determinism_property() {
  return {.name = "determinism",
          .sentence = "repeated, reordered and parallel runs make the same decisions",
          .reason =
              "a finding that cannot be repeated is none, and certificates rest on it; a policy that remembers "
              "something between runs breaks it",
          .breach = Breach::contract,
          .trusts_policy = true,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
