// Operators, whose dependents get their arguments instead.
#include <algorithm>

#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return makers(holed.draft).size(); }

// Later uses of the outputs become uses of the arguments, which are held as long as the outputs were.
void splice(Draft& draft, std::size_t at) {
  const Draft::Step gone = draft.steps[at];
  const auto is_output = [&](TensorId t) {
    return std::find(gone.outputs.begin(), gone.outputs.end(), t) != gone.outputs.end();
  };
  for (std::size_t i = at + 1; i < draft.steps.size(); ++i) {
    std::vector<TensorId> arguments;
    for (const TensorId a : draft.steps[i].arguments) {
      if (!is_output(a)) {
        arguments.push_back(a);
        continue;
      }
      for (const TensorId b : gone.arguments)
        if (std::find(arguments.begin(), arguments.end(), b) == arguments.end()) arguments.push_back(b);
    }
    draft.steps[i].arguments = std::move(arguments);
    for (const TensorId t : draft.steps[i].outputs) {
      std::optional<TensorId>& of = draft.tensors[t].alias_of;
      if (of && is_output(*of)) of = gone.arguments.empty() ? std::nullopt : std::optional(gone.arguments.front());
    }
  }
  draft.steps.erase(draft.steps.begin() + static_cast<std::ptrdiff_t>(at));
}

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  const std::vector<std::size_t> all = makers(holed.draft);
  for (std::size_t piece = last; piece-- > first;) splice(holed.draft, all[piece]);
  return true;
}

}  // namespace

Pass splice_pass() {
  return {"splice", "drops operators; what uses their outputs uses their arguments instead", false, count, apply};
}

}  // namespace pothole
