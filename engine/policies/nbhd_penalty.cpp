// NbhdPenalty: DTR's score, raised by a fraction for each storage of the evicted neighbourhood.
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

// The reference rounds the quotient first, then the penalty, then their product.
Score score(const Candidate& c, const ParameterValues& values) {
  return {.numerator = c.compute + c.forward + c.reverse,
          .size = c.size,
          .staleness = c.staleness,
          .factor = 1 + values[0] * static_cast<double>(c.neighbours)};
}

}  // namespace

Policy nbhd_penalty() {
  return {.name = "NbhdPenalty",
          .alias = "",
          .sentence = "DTR's score, raised by a fraction b for each storage of the evicted neighbourhood",
          .formula = "(c + C(F) + C(R)) / (m s) * (1 + b (|F| + |R|))",
          .source = source::kStudy,
          .needs = kNeeds,
          .parameters = {{.key = "b", .standard = 0.25, .least = 0, .most = 1e6, .help = "penalty per neighbour"}},
          .choose = scan::lazily<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
