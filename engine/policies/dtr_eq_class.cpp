// DTREqClass: DTR with the evicted neighbourhood approximated by equivalence classes
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::classes;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.classes, .size = c.size, .staleness = c.staleness};
}

}  // namespace

Policy dtr_eq_class() {
  return {.name = "DTREqClass",
          .alias = "AbEqSizeStale",
          .sentence = "DTR with the evicted neighbourhood approximated by equivalence classes",
          .formula = "(c + Q) / (m s)",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
