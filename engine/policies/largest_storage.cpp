// LargestStorage: evicts the largest storage
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = 1, .size = c.size}; }

}  // namespace

Policy largest_storage() {
  return {.name = "LargestStorage",
          .alias = "AbSize",
          .sentence = "evicts the largest storage",
          .formula = "1 / m",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
