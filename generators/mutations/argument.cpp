// What an operator reads.
#include <algorithm>

#include "generators/mutation_registry.h"

namespace pothole {
namespace {

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> at = drawn(steps_of_kind(draft, Draft::Step::Kind::issue), random);
  if (!at) return false;
  std::vector<TensorId>& arguments = draft.steps[*at].arguments;
  if (!arguments.empty() && random.chance(40)) {
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(random.index_below(arguments.size())));
    return true;
  }
  const std::vector<TensorId> before = made_before(draft, *at);
  if (before.empty()) return false;
  const TensorId added = before[random.index_below(before.size())];
  arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(random.index_below(arguments.size() + 1)), added);
  return true;
}

}  // namespace

Mutation argument_mutation() { return {"argument", "adds or removes an argument of an operator", apply}; }

}  // namespace pothole
