// Doing steps again.
#include <algorithm>

#include "generators/mutation_registry.h"

namespace pothole {
namespace {

constexpr std::size_t kLongest = 6;

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> begin = drawn(makers(draft), random);
  if (!begin) return false;
  const std::size_t end = std::min(draft.steps.size(), *begin + random.index_below(kLongest) + 1);
  Draft piece;
  piece.tensors = draft.tensors;
  piece.steps.assign(draft.steps.begin() + static_cast<std::ptrdiff_t>(*begin),
                     draft.steps.begin() + static_cast<std::ptrdiff_t>(end));
  insert_copy(draft, end, piece, 0, piece.steps.size(), random);
  return true;
}

}  // namespace

Mutation duplicate_mutation() { return {"duplicate", "does an operator, or some steps in a row, again", apply}; }

}  // namespace pothole
