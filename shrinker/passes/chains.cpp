// Operators that only hand on what one other has made for them.
#include <utility>

#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

// Steps whose only argument has no other use, and is the only output of its maker.
std::vector<std::pair<std::size_t, std::size_t>> links(const Draft& draft) {
  const std::vector<std::size_t> uses = use_counts(draft);
  std::vector<std::size_t> maker(draft.tensors.size());
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (const std::size_t i : makers(draft)) {
    const Draft::Step& step = draft.steps[i];
    for (const TensorId t : step.outputs) maker[t] = i;
    if (step.kind != Draft::Step::Kind::issue || step.arguments.size() != 1 || uses[step.arguments[0]] != 1) continue;
    const Draft::Step& before = draft.steps[maker[step.arguments[0]]];
    if (before.kind == Draft::Step::Kind::issue && before.outputs.size() == 1)
      found.emplace_back(maker[step.arguments[0]], i);
  }
  return found;
}

std::size_t count(const Holed& holed) { return links(holed.draft).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t) {
  const auto [before, after] = links(holed.draft)[first];
  Draft& draft = holed.draft;
  draft.steps[after].arguments = draft.steps[before].arguments;
  draft.steps[after].cost += draft.steps[before].cost;
  remove_steps(draft, {before});
  return true;
}

}  // namespace

Pass chains_pass() {
  return {"chains", "contracts two operators of a chain to one of their cost", false, count, apply};
}

}  // namespace pothole
