// Belady: evicts what the trace needs again last, knowing the whole trace. The next use of a storage is the next
// operator of the trace that has one of its tensors as an argument, the one under way included; outputs of the
// trace that are pinned at its end are used once more there, in their order. What recomputing will need is not
// counted, as it depends on what is evicted: with equal sizes and without recomputation the rule is optimal, here it is
// a reference only. Storages never used again are farthest; equal ones as the scan does: the last of them in the pool.
#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::next_use;

Score score(const Candidate& c, const ParameterValues&) { return {.numerator = -c.next_use, .integral = true}; }

}  // namespace

Policy belady() {
  return {.name = "Belady",
          .alias = "",
          .sentence = "evicts the storage whose next use in the trace is farthest, which no online policy can know",
          .formula = "- place of the next operator that uses it",
          .source = source::kBelady,
          .needs = kNeeds,
          .parameters = {},
          .choose = scan::in_order<kNeeds, score>,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
