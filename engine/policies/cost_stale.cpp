// CostStale: DTR without the size: neighbourhood compute and staleness
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .staleness = c.staleness};
}

}  // namespace

Policy cost_stale() {
  return {.name = "CostStale",
          .alias = "",
          .sentence = "DTR without the size: neighbourhood compute and staleness",
          .formula = "(c + C(F) + C(R)) / s",
          .source = source::kStudy,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
