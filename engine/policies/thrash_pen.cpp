// ThrashPen: DTR's score, raised for each time that the storage was evicted before.
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse | Feature::evictions;

// The reference rounds the quotient first, then the penalty, then their product.
Score score(const Candidate& c, const ParameterValues& values) {
  return {.numerator = c.compute + c.forward + c.reverse,
          .size = c.size,
          .staleness = c.staleness,
          .factor = 1 + values[0] * static_cast<double>(c.evictions)};
}

}  // namespace

Policy thrash_pen() {
  return {
      .name = "ThrashPen",
      .alias = "",
      .sentence = "DTR's score, raised by a fraction a for each time the storage was evicted, by choice or on release",
      .formula = "(c + C(F) + C(R)) / (m s) * (1 + a k)",
      .source = source::kStudy,
      .needs = kNeeds,
      .parameters = {{.key = "a", .standard = 1, .least = 0, .most = 1e6, .help = "penalty per eviction so far"}},
      .choose = scan::lazily<kNeeds, score>,
      .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
