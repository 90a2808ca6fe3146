// MSPS: evicts what frees most bytes for the compute of itself and its evicted ancestors
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.compute + c.reverse, .size = c.size}; }

}  // namespace

Policy msps() {
  return {.name = "MSPS",
          .alias = "",
          .sentence = "evicts what frees most bytes for the compute of itself and its evicted ancestors",
          .formula = "(c + C(R)) / m",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
