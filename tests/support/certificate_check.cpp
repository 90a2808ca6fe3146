#include "tests/support/certificate_check.h"

#include <algorithm>
#include <set>

#include "tests/support/conformance.h"

namespace pothole {

std::string broken_certificate(const Program& program, const RunSettings& settings, Bytes budget, SplitMix& random) {
  RunOptions options;
  options.record_victims = true;
  const RunResult here = run(program, settings, budget, options);
  const auto [lo, hi] = here.certificate;
  const std::string interval =
      "  certificate [" + std::to_string(lo) + ", " + std::to_string(hi) + ") of budget " + std::to_string(budget);
  if (lo > budget || hi <= budget) return interval + " does not hold its own budget\n";

  std::string wrong;
  std::set<Bytes> same = {lo, hi - 1};
  for (int i = 0; i < 3; ++i) same.insert(random.between(lo, hi - 1));
  for (Bytes other : same) {
    RunResult there = run(program, settings, other, options);
    const std::string at = interval + ", at budget " + std::to_string(other) + ": ";
    if (there.decision_digest != here.decision_digest) wrong += at + "another decision digest\n";
    // How far a request misses its budget is the one number that depends on the budget.
    if (there.failure && here.failure) there.failure->over_by += other - budget;
    if (const std::string fields = difference(here, there); !fields.empty()) wrong += at + "another result\n" + fields;
  }
  if (hi != Certificate::kUnbounded && run(program, settings, hi, options).decision_digest == here.decision_digest)
    wrong += interval + ": the same decision digest at its end\n";
  return wrong;
}

}  // namespace pothole
