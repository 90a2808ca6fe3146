// Writes into tensors.
#include "generators/mutation_registry.h"

namespace pothole {
namespace {

// As logs record a write: an output of the size of the argument, which loses its reference and its later uses.
bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> at = drawn(makers(draft), random);
  if (!at) return false;
  const TensorId old = draft.steps[*at].outputs.front();
  const auto written = static_cast<TensorId>(draft.tensors.size());
  draft.tensors.push_back({draft.tensors[old].size, std::nullopt, ""});
  Draft::Step write, release;
  write.cost = random.between(0, 3);
  write.arguments = {old};
  write.outputs = {written};
  write.name = "write";
  release.kind = Draft::Step::Kind::release;
  release.tensor = old;
  const std::size_t first_later = *at + 1;
  for (std::size_t i = first_later; i < draft.steps.size(); ++i) {
    for (TensorId& a : draft.steps[i].arguments)
      if (a == old) a = written;
    for (const TensorId t : draft.steps[i].outputs)
      if (draft.tensors[t].alias_of == old) draft.tensors[t].alias_of = written;
    if (!draft.steps[i].makes() && draft.steps[i].tensor == old) draft.steps[i].tensor = written;
  }
  for (TensorId& pin : draft.pins)
    if (pin == old) pin = written;
  draft.steps.insert(draft.steps.begin() + static_cast<std::ptrdiff_t>(first_later), {write, release});
  return true;
}

}  // namespace

Mutation mutate_in_place_mutation() {
  return {"mutate-in-place", "writes into a tensor: a fresh output takes its place", apply};
}

}  // namespace pothole
