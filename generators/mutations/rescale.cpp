// All sizes or all costs.
#include "generators/mutation_registry.h"

namespace pothole {
namespace {

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  if (draft.tensors.empty()) return false;
  const std::int64_t factor = random.between(2, 5);
  const bool grow = random.chance(50), sizes = random.chance(50);
  const auto scale = [&](std::int64_t& value) {
    if (!grow) value /= factor;
    if (grow && value <= kLargestQuantity / factor) value *= factor;
  };
  for (Draft::Tensor& tensor : draft.tensors)
    if (sizes) scale(tensor.size);
  for (Draft::Step& step : draft.steps)
    if (!sizes) scale(step.cost);
  return true;
}

}  // namespace

Mutation rescale_mutation() { return {"rescale", "all sizes, or all costs, times or through a small number", apply}; }

}  // namespace pothole
