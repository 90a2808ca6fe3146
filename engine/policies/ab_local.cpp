// AbLocal: ablation of DTRLocal: own compute only
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.compute, .integral = true}; }

}  // namespace

Policy ab_local() {
  return {.name = "AbLocal",
          .alias = "",
          .sentence = "ablation of DTRLocal: own compute only",
          .formula = "c",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
