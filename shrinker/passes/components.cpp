// Parts of the trace that have nothing to do with each other.
#include <algorithm>
#include <numeric>

#include "shrinker/pass_registry.h"
namespace pothole {
namespace {

// By step, its component: steps are joined through the tensors that they make and use.
std::vector<std::size_t> components_of(const Draft& draft) {
  std::vector<std::size_t> leader(draft.steps.size()), maker(draft.tensors.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (const std::size_t i : makers(draft)) {
    for (const TensorId t : draft.steps[i].outputs) maker[t] = i;
    for (const TensorId a : draft.steps[i].arguments) leader[find(i)] = find(maker[a]);
  }
  for (std::size_t i = 0; i < leader.size(); ++i)
    leader[i] = draft.steps[i].makes() ? find(i) : find(maker[draft.steps[i].tensor]);
  return leader;
}

std::vector<std::size_t> leaders(const std::vector<std::size_t>& components) {
  std::vector<std::size_t> all = components;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::size_t count(const Holed& holed) {
  const std::size_t components = leaders(components_of(holed.draft)).size();
  return components > 1 ? components : 0;
}

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  const std::vector<std::size_t> components = components_of(holed.draft), all = leaders(components);
  std::vector<std::size_t> gone;
  for (std::size_t i = 0; i < components.size(); ++i) {
    const auto piece = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), components[i]) - all.begin());
    if (piece >= first && piece < last) gone.push_back(i);
  }
  remove_steps(holed.draft, gone);
  return !gone.empty();
}

}  // namespace

Pass components_pass() {
  return {"components", "drops operators that are not connected with the others", true, count, apply};
}

}  // namespace pothole
