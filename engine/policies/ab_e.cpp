// AbE: ablation of DTR: neighbourhood compute only
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .integral = true};
}

}  // namespace

Policy ab_e() {
  return {.name = "AbE",
          .alias = "",
          .sentence = "ablation of DTR: neighbourhood compute only",
          .formula = "c + C(F) + C(R)",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
