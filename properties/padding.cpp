// padding: memory that is taken for good, and as much more budget, change nothing.
#include <algorithm>

#include "properties/compare.h"
#include "properties/registry.h"
#include "properties/transform.h"

namespace pothole {
namespace {

constexpr std::string_view kKinds[] = {"padding"};
constexpr std::string_view kTooLarge = "the sum of all sizes would pass 2^62";

Verdict check(const Subject& subject) {
  // As much as the program itself may take, and odd, so that nothing stays divisible by what it was.
  const Bytes bytes = subject.program().total_size() | 1;
  const std::optional<Extended> padded = with_padding(subject.program(), bytes);
  if (!padded) return not_applicable(kTooLarge);
  return verdict_of_runs(subject, [&](const CheckedRun& run) {
    RunResult other = subject.run(padded->program, run.budget + bytes);
    other.decisions = decisions_without(padded->added, other.decisions);
    Expected expected{kKinds[0], "a constant more, and as much more budget,", run.result.certificate,
                      run.result.measures};
    expected.certificate.lo += bytes;
    if (expected.certificate.hi != Certificate::kUnbounded) expected.certificate.hi += bytes;
    Measures& m = expected.measures;
    m.peak_resident += bytes;
    if (m.peak_pinned > 0) {
      m.peak_pinned += bytes;
    } else {  // the constant may make a first peak where there was none
      m.peak_pinned = other.measures.peak_pinned;
      m.depth_at_peak_pinned = other.measures.depth_at_peak_pinned;
    }
    m.max_depth = std::max<std::int64_t>(m.max_depth, 1);
    return verdict_of_same(subject, run, other, expected);
  });
}

}  // namespace

Property padding_property() {
  return {.name = "padding",
          .sentence = "an unused pinned constant of K bytes and K more budget change nothing",
          .reason =
              "memory that something else holds for good is no memory of the policy's; a policy without this "
              "property depends on absolute amounts of memory, and its results do not carry over",
          .breach = Breach::finding,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
