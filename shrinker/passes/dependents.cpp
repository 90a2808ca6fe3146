// Operators and all that is made from them.
#include <algorithm>

#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return makers(holed.draft).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  const std::vector<std::size_t> all = makers(holed.draft);
  std::vector<bool> tainted(holed.draft.tensors.size());
  std::vector<std::size_t> gone;
  for (std::size_t piece = first; piece < all.size(); ++piece) {
    const Draft::Step& step = holed.draft.steps[all[piece]];
    if (piece >= last &&
        std::none_of(step.arguments.begin(), step.arguments.end(), [&](TensorId a) { return tainted[a]; }))
      continue;
    for (const TensorId t : step.outputs) tainted[t] = true;
    gone.push_back(all[piece]);
  }
  remove_steps(holed.draft, gone);
  return true;
}

}  // namespace

Pass dependents_pass() { return {"dependents", "drops operators with all that depend on them", true, count, apply}; }

}  // namespace pothole
