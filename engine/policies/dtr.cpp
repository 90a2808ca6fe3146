// DTR: evicts what is cheap to recompute with its evicted neighbourhood, large and stale
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .size = c.size, .staleness = c.staleness};
}

}  // namespace

Policy dtr() {
  return {.name = "DTR",
          .alias = "AbESizeStale",
          .sentence = "evicts what is cheap to recompute with its evicted neighbourhood, large and stale",
          .formula = "(c + C(F) + C(R)) / (m s)",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
