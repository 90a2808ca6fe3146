// One size or cost.
#include <algorithm>

#include "generators/mutation_registry.h"

namespace pothole {
namespace {

// Half, double, one more or less, none.
std::int64_t changed(std::int64_t value, SplitMix& random) {
  switch (random.between(0, 4)) {
    case 0:
      return value / 2;
    case 1:
      return value > kLargestQuantity / 2 ? value : 2 * value;
    case 2:
      return value + 1;
    case 3:
      return std::max<std::int64_t>(value - 1, 0);
    default:
      return random.between(0, 8);
  }
}

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> at = drawn(makers(draft), random);
  if (!at) return false;
  Draft::Step& step = draft.steps[*at];
  const bool cost = step.kind == Draft::Step::Kind::issue && random.chance(50);
  std::int64_t& value = cost ? step.cost : draft.tensors[step.outputs[random.index_below(step.outputs.size())]].size;
  const std::int64_t before = value;
  value = changed(before, random);
  return value != before;
}

}  // namespace

Mutation resize_mutation() { return {"resize", "changes the size of one tensor or the cost of one operator", apply}; }

}  // namespace pothole
