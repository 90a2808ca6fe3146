// AbESize: ablation of DTR: neighbourhood compute and size
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .size = c.size};
}

}  // namespace

Policy ab_e_size() {
  return {.name = "AbESize",
          .alias = "",
          .sentence = "ablation of DTR: neighbourhood compute and size",
          .formula = "(c + C(F) + C(R)) / m",
          .source = source::kDtr,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
