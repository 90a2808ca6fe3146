// Views of tensors.
#include "generators/mutation_registry.h"

namespace pothole {
namespace {

// A view of a tensor, used from then on in place of it by the next operator that uses it.
bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> at = drawn(makers(draft), random);
  if (!at) return false;
  const std::vector<TensorId>& outputs = draft.steps[*at].outputs;
  const TensorId of = outputs[random.index_below(outputs.size())];
  const auto view = static_cast<TensorId>(draft.tensors.size());
  draft.tensors.push_back({0, of, ""});
  Draft::Step step;
  step.cost = random.between(0, 1);
  step.arguments = {of};
  step.outputs = {view};
  step.name = "view";
  draft.steps.insert(draft.steps.begin() + static_cast<std::ptrdiff_t>(*at) + 1, std::move(step));
  for (std::size_t i = *at + 2; i < draft.steps.size(); ++i) {
    std::vector<TensorId>& arguments = draft.steps[i].arguments;
    bool found = false;
    for (TensorId& a : arguments) {
      if (a != of) continue;
      a = view;
      found = true;
    }
    // Aliases of it that this operator makes are then aliases of the view.
    for (const TensorId t : draft.steps[i].outputs)
      if (found && draft.tensors[t].alias_of == of) draft.tensors[t].alias_of = view;
    if (found) return true;
  }
  draft.pins.push_back(view);
  return true;
}

}  // namespace

Mutation alias_mutation() { return {"alias", "adds a view of a tensor, which is used in its place", apply}; }

}  // namespace pothole
