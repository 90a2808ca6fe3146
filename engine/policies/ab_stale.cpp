// AbStale: ablation of DTR: staleness only
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = 1, .staleness = c.staleness}; }

}  // namespace

Policy ab_stale() {
  return {.name = "AbStale",
          .alias = "",
          .sentence = "ablation of DTR: staleness only",
          .formula = "1 / s",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
