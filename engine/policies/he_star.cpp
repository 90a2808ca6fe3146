// HEStar: evicts the storage with the smallest evicted neighbourhood, counted in storages
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.neighbours, .integral = true}; }

}  // namespace

Policy he_star() {
  return {.name = "HEStar",
          .alias = "",
          .sentence = "evicts the storage with the smallest evicted neighbourhood, counted in storages",
          .formula = "|F| + |R|",
          .source = source::kStudy,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
