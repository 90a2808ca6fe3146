// scaling: the units in which bytes and time are counted do not matter.
//
// The factor is a power of two: scores are quotients rounded to binary64, and such a factor moves exponents
// only, so that equal scores stay equal and others stay apart, as in exact arithmetic.
#include "properties/compare.h"
#include "properties/registry.h"
#include "properties/transform.h"

namespace pothole {
namespace {

constexpr std::string_view kSizes = "sizes", kCosts = "costs";
constexpr std::string_view kKinds[] = {kSizes, kCosts};
constexpr std::string_view kTooLarge = "sums of sizes and of costs would pass 2^62";
constexpr std::int64_t kFactor = 4;

Verdict check_sizes(const Subject& subject, const Program& larger, const CheckedRun& run) {
  if (run.budget > kLargestQuantity / kFactor) return not_applicable(kTooLarge);
  Expected expected{kSizes, "all sizes and the budget times 4", run.result.certificate, run.result.measures};
  expected.certificate.lo *= kFactor;
  if (expected.certificate.hi != Certificate::kUnbounded) expected.certificate.hi *= kFactor;
  expected.measures.peak_resident *= kFactor;
  expected.measures.peak_pinned *= kFactor;
  return verdict_of_same(subject, run, subject.run(larger, run.budget * kFactor), expected);
}

Verdict check_costs(const Subject& subject, const Program& longer, const CheckedRun& run) {
  Expected expected{kCosts, "all costs times 4", run.result.certificate, run.result.measures};
  Measures& m = expected.measures;
  m.model_compute *= kFactor;
  m.remat_compute *= kFactor;
  m.clock = 1 + (m.clock - 1) * kFactor;  // clocks start at 1
  return verdict_of_same(subject, run, subject.run(longer, run.budget), expected);
}

Verdict check(const Subject& subject) {
  const std::optional<Program> larger = with_sizes_times(subject.program(), kFactor);
  const std::optional<Program> longer = with_costs_times(subject.program(), kFactor);
  if (!larger && !longer) return not_applicable(kTooLarge);
  return verdict_of_runs(subject, [&](const CheckedRun& run) {
    Verdict verdict = not_applicable(kTooLarge);
    if (larger) verdict = check_sizes(subject, *larger, run);
    const bool settled = verdict.ruling == Ruling::violated || verdict.ruling == Ruling::unresolved;
    // A run whose clock could pass 2^63 has no counterpart.
    const bool fits = run.result.measures.clock <= kLargestQuantity / kFactor;
    if (!settled && longer && fits) verdict = check_costs(subject, *longer, run);
    return verdict;
  });
}

}  // namespace

Property scaling_property() {
  return {.name = "scaling",
          .sentence = "all sizes and the budget times k, or all costs times k, change no decision",
          .reason =
              "bytes and nanoseconds are units; a policy without this property adds unlike quantities, or "
              "compares them with a constant (k is 4: a power of two keeps rounded scores exact)",
          .breach = Breach::finding,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
