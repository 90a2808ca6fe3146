// Leaving out steps.
#include <algorithm>

#include "generators/mutation_registry.h"

namespace pothole {
namespace {

constexpr std::size_t kLongest = 8;

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> first = drawn(makers(draft), random);
  if (!first) return false;
  const std::size_t count = random.chance(50) ? 1 : random.index_below(kLongest) + 1;
  const auto begin = draft.steps.begin() + static_cast<std::ptrdiff_t>(*first);
  draft.steps.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, draft.steps.size() - *first)));
  return true;
}

}  // namespace

Mutation drop_mutation() { return {"drop", "leaves out an operator, or some steps in a row", apply}; }

}  // namespace pothole
