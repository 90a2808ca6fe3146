// AbLocalStale: ablation of DTRLocal: own compute and staleness
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.compute, .staleness = c.staleness}; }

}  // namespace

Policy ab_local_stale() {
  return {.name = "AbLocalStale",
          .alias = "",
          .sentence = "ablation of DTRLocal: own compute and staleness",
          .formula = "c / s",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
