// LRU: evicts the least recently used storage
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.last_access, .integral = true}; }

}  // namespace

Policy lru() {
  return {.name = "LRU",
          .alias = "",
          .sentence = "evicts the least recently used storage",
          .formula = "last access",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
