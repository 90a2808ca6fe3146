// When a tensor is released.
#include <algorithm>

#include "generators/mutation_registry.h"

namespace pothole {
namespace {

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> from = drawn(steps_of_kind(draft, Draft::Step::Kind::release), random);
  if (!from) return false;
  // An earlier one may come before its tensor is there, and goes then: the tensor becomes an output.
  const std::size_t to = random.index_below(draft.steps.size());
  const auto begin = draft.steps.begin();
  const auto at = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(i); };
  if (*from < to) std::rotate(at(*from), at(*from + 1), at(to + 1));
  if (to < *from) std::rotate(at(to), at(*from), at(*from + 1));
  return to != *from;
}

}  // namespace

Mutation move_release_mutation() { return {"move-release", "releases a tensor earlier or later", apply}; }

}  // namespace pothole
