// Ties between operators.
#include "generators/mutation_registry.h"

namespace pothole {
namespace {

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::vector<std::size_t> all = makers(draft);
  const std::optional<std::size_t> from = drawn(all, random), to = drawn(all, random);
  if (!from || from == to) return false;
  const Draft::Step& model = draft.steps[*from];
  Draft::Step& step = draft.steps[*to];
  // An exact tie, or nearly one.
  const std::int64_t more = random.chance(50) ? 1 : 0;
  if (step.kind == Draft::Step::Kind::issue) step.cost = model.cost + more;
  draft.tensors[step.outputs.front()].size = draft.tensors[model.outputs.front()].size;
  return true;
}

}  // namespace

Mutation equalize_mutation() {
  return {"equalize", "gives one operator the cost and size of another, or nearly so", apply};
}

}  // namespace pothole
