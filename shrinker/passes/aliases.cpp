// Views.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::vector<TensorId> views(const Draft& draft) {
  std::vector<TensorId> all;
  for (const Draft::Step& step : draft.steps)
    for (const TensorId t : step.outputs)
      if (draft.tensors[t].alias_of) all.push_back(t);
  return all;
}

// A view becomes the tensor that it is of, or a storage of its own.
std::size_t count(const Holed& holed) { return 2 * views(holed.draft).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t) {
  Draft& draft = holed.draft;
  const TensorId view = views(draft)[first / 2], of = *draft.tensors[view].alias_of;
  if (first % 2 == 0) {
    TensorId root = of;
    while (draft.tensors[root].alias_of) root = *draft.tensors[root].alias_of;
    draft.tensors[view] = {draft.tensors[root].size, std::nullopt, ""};
    return true;
  }
  for (Draft::Step& step : draft.steps) std::erase(step.outputs, view);
  replace_uses(draft, 0, view, of);
  return true;
}

}  // namespace

Pass aliases_pass() {
  return {"aliases", "makes a view a storage of its own, or the tensor that it is of", false, count, apply};
}

}  // namespace pothole
