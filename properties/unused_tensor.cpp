// unused-tensor: what takes no memory and no time, and is used by nothing, changes nothing.
//
// Such a tensor is put in the middle of the trace and released at once, so that the numbers of all later
// operators, tensors and storages move. Where a release evicts it, it is gone before the policy is asked;
// otherwise it stays in the pool until it is chosen, which frees nothing, and the choice is made again.
#include <algorithm>

#include "properties/compare.h"
#include "properties/registry.h"
#include "properties/transform.h"

namespace pothole {
namespace {

constexpr std::string_view kKinds[] = {"unused-tensor"};
constexpr std::string_view kDraws =
    "the policy draws from the pool, and without evictions on release there is one "
    "member more to draw";

Verdict check(const Subject& subject) {
  const Program& program = subject.program();
  const RunSettings& settings = subject.settings();
  const bool stays = settings.dealloc != Dealloc::eager;
  if (stays && settings.policy.policy->needs.has(Feature::random)) return not_applicable(kDraws);
  const auto middle = static_cast<OperatorId>(program.operators().size() / 2);
  const Extended extended = with_unused_tensor(program, middle).value();
  return verdict_of_runs(subject, [&](const CheckedRun& run) {
    RunResult other = subject.run(extended.program, run.budget);
    Expected expected{kKinds[0], "an unused tensor more", run.result.certificate, run.result.measures};
    for (const Decision& d : other.decisions) {
      if (d.tensor != extended.added) continue;
      expected.measures.evictions_by_policy += d.kind == Decision::Kind::evicted;
      expected.measures.evictions_on_release += d.kind == Decision::Kind::released;
    }
    other.decisions = decisions_without(extended.added, other.decisions);
    // Issued as any operator, it has a depth, and asks whether what is resident fits.
    expected.measures.max_depth = std::max(expected.measures.max_depth, other.measures.max_depth);
    expected.measures.peak_pinned = other.measures.peak_pinned;
    expected.measures.depth_at_peak_pinned = other.measures.depth_at_peak_pinned;
    return verdict_of_same(subject, run, other, expected);
  });
}

}  // namespace

Property unused_tensor_property() {
  return {.name = "unused-tensor",
          .sentence = "a tensor without bytes, cost or users changes nothing",
          .reason =
              "numbers of tensors and operators are labels; a policy without this property breaks ties or counts "
              "by something that has no bearing on memory or time",
          .breach = Breach::finding,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
