// A piece of another program.
#include <algorithm>

#include "generators/mutation_registry.h"

namespace pothole {
namespace {

constexpr std::size_t kLongest = 12;

bool apply(Draft& draft, const Draft& other, SplitMix& random) {
  if (other.steps.empty()) return false;
  const std::size_t begin = random.index_below(other.steps.size());
  const std::size_t end = std::min(other.steps.size(), begin + random.index_below(kLongest) + 1);
  const std::size_t before = draft.steps.size();
  insert_copy(draft, random.index_below(draft.steps.size() + 1), other, begin, end, random);
  return draft.steps.size() != before;
}

}  // namespace

Mutation splice_mutation() {
  return {"splice", "puts in a piece of another program, on tensors that are there", apply};
}

}  // namespace pothole
