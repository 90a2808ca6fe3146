// AbEStale: ablation of DTR: neighbourhood compute and staleness
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .staleness = c.staleness};
}

}  // namespace

Policy ab_e_stale() {
  return {.name = "AbEStale",
          .alias = "",
          .sentence = "ablation of DTR: neighbourhood compute and staleness",
          .formula = "(c + C(F) + C(R)) / s",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
