// AbSizeStale: ablation of DTR: size and staleness
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = 1, .size = c.size, .staleness = c.staleness};
}

}  // namespace

Policy ab_size_stale() {
  return {.name = "AbSizeStale",
          .alias = "",
          .sentence = "ablation of DTR: size and staleness",
          .formula = "1 / (m s)",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
