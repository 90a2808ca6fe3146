#include "shrinker/pass.h"

#include <algorithm>

#include "shrinker/pass_registry.h"

namespace pothole {

std::span<const Pass> passes() {
  static const std::vector<Pass> all = {
#define POTHOLE_PASS(name) name##_pass(),
#include "shrinker/passes.def"
#undef POTHOLE_PASS
  };
  return all;
}

void remove_steps(Draft& draft, const std::vector<std::size_t>& indices) {
  std::size_t index = 0;
  auto next = indices.begin();
  std::erase_if(draft.steps, [&](const Draft::Step&) {
    const bool gone = next != indices.end() && *next == index;
    if (gone) ++next;
    ++index;
    return gone;
  });
}

void replace_uses(Draft& draft, std::size_t step, TensorId old, TensorId by) {
  for (std::size_t i = step; i < draft.steps.size(); ++i) {
    Draft::Step& s = draft.steps[i];
    std::replace(s.arguments.begin(), s.arguments.end(), old, by);
    for (const TensorId t : s.outputs)
      if (draft.tensors[t].alias_of == old) draft.tensors[t].alias_of = by;
    if (s.kind == Draft::Step::Kind::get && s.tensor == old) s.tensor = by;
  }
  std::replace(draft.pins.begin(), draft.pins.end(), old, by);
}

std::vector<std::size_t> use_counts(const Draft& draft) {
  std::vector<std::size_t> uses(draft.tensors.size());
  for (const Draft::Step& step : draft.steps)
    for (const TensorId a : step.arguments) ++uses[a];
  return uses;
}

}  // namespace pothole
