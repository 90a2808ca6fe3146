// FIFO: evicts what has been resident longest. A storage comes in whenever it becomes material, be it computed
// for the first time or again, at the clock after that computation; uses do not count. Equal ones as the scan
// does: the last of them in the pool.
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::arrivals;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = c.arrival, .integral = true}; }

}  // namespace

Policy fifo() {
  return {.name = "FIFO",
          .alias = "",
          .sentence = "evicts the storage that became resident first, whatever has used it since",
          .formula = "clock at which it became material",
          .source = source::kBelady,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
