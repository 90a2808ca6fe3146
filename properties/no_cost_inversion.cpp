// no-cost-inversion: more memory never costs more compute.
#include <fmt/format.h>

#include "properties/registry.h"
#include "properties/verdicts.h"

namespace pothole {
namespace {

constexpr std::string_view kKinds[] = {"cost-inversion"};
constexpr std::string_view kNoCompute = "the trace has no compute, and so no overhead";

Verdict check(const Subject& subject) {
  if (subject.program().total_cost() == 0) return not_applicable(kNoCompute);
  const std::vector<CostInversion> inversions = cost_inversions_of(subject.map());
  if (inversions.empty()) return verdict_of_map(subject, {});
  const CostInversion& first = inversions.front();
  std::string text = fmt::format("overhead {:.6g} with {}, {:.6g} with {}", first.smaller_overhead,
                                 first.smaller_budget, first.overhead, first.from);
  if (inversions.size() > 1) text += fmt::format("; {} inversions more", inversions.size() - 1);
  return verdict_of_map(subject, violated(kKinds[0], {}, {first.smaller_budget, first.from}, {}, std::move(text)));
}

}  // namespace

Property no_cost_inversion_property() {
  return {.name = "no-cost-inversion",
          .sentence = "what completes at a larger budget has no higher overhead",
          .reason = "memory is bought to save time; where it costs time, a cap on the budget is faster",
          .breach = Breach::finding,
          .kinds = kKinds,
          .check = check};
}

}  // namespace pothole
