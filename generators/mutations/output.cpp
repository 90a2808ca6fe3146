// What the trace keeps at its end.
#include <algorithm>

#include "generators/mutation_registry.h"

namespace pothole {
namespace {

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  if (!draft.pins.empty() && random.chance(50)) {
    draft.pins.erase(draft.pins.begin() + static_cast<std::ptrdiff_t>(random.index_below(draft.pins.size())));
    return true;
  }
  const std::vector<TensorId> made = made_before(draft, draft.steps.size());
  if (made.empty()) return false;
  const TensorId t = made[random.index_below(made.size())];
  if (std::find(draft.pins.begin(), draft.pins.end(), t) != draft.pins.end()) return false;
  draft.pins.push_back(t);
  return true;
}

}  // namespace

Mutation output_mutation() { return {"output", "makes an output of a tensor, or no longer", apply}; }

}  // namespace pothole
