// DTRLocal: DTR without the evicted neighbourhood
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute, .size = c.size, .staleness = c.staleness};
}

}  // namespace

Policy dtr_local() {
  return {.name = "DTRLocal",
          .alias = "AbLocalSizeStale",
          .sentence = "DTR without the evicted neighbourhood",
          .formula = "c / (m s)",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
