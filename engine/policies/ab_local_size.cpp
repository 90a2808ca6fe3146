// AbLocalSize: ablation of DTRLocal: own compute and size
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.compute, .size = c.size}; }

}  // namespace

Policy ab_local_size() {
  return {.name = "AbLocalSize",
          .alias = "",
          .sentence = "ablation of DTRLocal: own compute and size",
          .formula = "c / m",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
