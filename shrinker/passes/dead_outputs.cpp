// Operators whose results nobody uses.
#include <algorithm>

#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::vector<std::size_t> dead(const Draft& draft) {
  const std::vector<std::size_t> uses = use_counts(draft);
  std::vector<std::size_t> steps;
  for (const std::size_t i : makers(draft)) {
    const std::vector<TensorId>& outputs = draft.steps[i].outputs;
    if (std::all_of(outputs.begin(), outputs.end(), [&](TensorId t) { return uses[t] == 0; })) steps.push_back(i);
  }
  return steps;
}

std::size_t count(const Holed& holed) { return dead(holed.draft).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  const std::vector<std::size_t> all = dead(holed.draft);
  remove_steps(holed.draft,
               {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)});
  return true;
}

}  // namespace

Pass dead_outputs_pass() {
  return {"dead-outputs", "drops operators whose outputs no operator uses", true, count, apply};
}

}  // namespace pothole
