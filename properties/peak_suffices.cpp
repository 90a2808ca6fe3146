// peak-suffices: with as much memory as the trace takes when nothing limits it, a policy has nothing to do.
#include <fmt/format.h>

#include "properties/compare.h"
#include "properties/registry.h"

namespace pothole {
namespace {

constexpr std::string_view kEvicts = "evicts", kRematerializes = "rematerializes", kOther = "other-execution";
constexpr std::string_view kKinds[] = {kEvicts, kRematerializes, kOther};

// Something was evicted on release and is needed after all: then it is rematerialized whatever the budget.
bool uses_what_was_released(const std::vector<Decision>& decisions) {
  return std::any_of(decisions.begin(), decisions.end(),
                     [](const Decision& d) { return d.kind == Decision::Kind::released; });
}

// Above the peak there is one execution.
Verdict open_by(const RunResult& run) {
  Verdict verdict = unresolved(run);
  verdict.coverage = {0, 1, true};
  return verdict;
}

Verdict check(const Subject& subject) {
  CheckedRun unlimited;
  unlimited.budget = Certificate::kUnbounded - 1;
  unlimited.result = subject.run(unlimited.budget);
  const RunResult& free = unlimited.result;
  if (!is_evidence(free.outcome)) return open_by(free);
  const Bytes peak = free.measures.peak_resident;
  const RunResult at_peak = subject.run(peak);
  if (!is_evidence(at_peak.outcome)) return open_by(at_peak);
  const auto at_end = [&](std::string_view kind, std::string what) {
    return violated(kind, {}, {peak}, {}, fmt::format("with {}, the peak, it {}", peak, what));
  };
  Verdict verdict;
  if (at_peak.measures.evictions_by_policy > 0)
    verdict = at_end(kEvicts, fmt::format("evicts {} times", at_peak.measures.evictions_by_policy));
  else if (at_peak.measures.remats > 0 && !uses_what_was_released(at_peak.decisions))
    verdict = at_end(kRematerializes, fmt::format("rematerializes {} times", at_peak.measures.remats));
  else
    verdict = verdict_of_same(subject, unlimited, at_peak,
                              {kOther, "compared with the peak", {peak, Certificate::kUnbounded}, free.measures});
  // Certified from the peak on, which is one execution.
  verdict.coverage = {1, 1, false};
  return verdict;
}

}  // namespace

Property peak_suffices_property() {
  return {.name = "peak-suffices",
          .sentence = "at and above the peak nothing is evicted by the policy, and nothing rematerialized",
          .reason =
              "the peak is what the trace takes without a limit; what was evicted at its last release and is "
              "used once more has to be computed again at any budget",
          .breach = Breach::contract,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
