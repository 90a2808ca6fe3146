// AbEqStale: ablation of DTREqClass: class compute and staleness
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::classes;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.classes, .staleness = c.staleness};
}

}  // namespace

Policy ab_eq_stale() {
  return {.name = "AbEqStale",
          .alias = "",
          .sentence = "ablation of DTREqClass: class compute and staleness",
          .formula = "(c + Q) / s",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
