// AbEqSize: ablation of DTREqClass: class compute and size
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::classes;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.compute + c.classes, .size = c.size}; }

}  // namespace

Policy ab_eq_size() {
  return {.name = "AbEqSize",
          .alias = "",
          .sentence = "ablation of DTREqClass: class compute and size",
          .formula = "(c + Q) / m",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
