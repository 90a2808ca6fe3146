// AbEq: ablation of DTREqClass: class compute only
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::classes;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.classes, .integral = true};
}

}  // namespace

Policy ab_eq() {
  return {.name = "AbEq",
          .alias = "",
          .sentence = "ablation of DTREqClass: class compute only",
          .formula = "c + Q",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
