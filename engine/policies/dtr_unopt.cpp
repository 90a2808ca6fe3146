// DTRUnopt: DTR with each neighbour counted once and the latest access of the whole neighbourhood
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::union_walk;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.united, .size = c.size, .staleness = c.united_staleness};
}

}  // namespace

Policy dtr_unopt() {
  return {.name = "DTRUnopt",
          .alias = "",
          .sentence = "DTR with each neighbour counted once and the latest access of the whole neighbourhood",
          .formula = "(c + C(F u R)) / (m s')",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
