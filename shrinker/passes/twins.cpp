// Operators that do the same.
#include <map>
#include <tuple>

#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

// By step, an earlier one with the same arguments and as many outputs.
std::vector<std::pair<std::size_t, std::size_t>> twins(const Draft& draft) {
  std::map<std::tuple<Draft::Step::Kind, std::vector<TensorId>, std::size_t>, std::size_t> first;
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (const std::size_t i : makers(draft)) {
    const Draft::Step& step = draft.steps[i];
    const auto [at, is_new] = first.try_emplace({step.kind, step.arguments, step.outputs.size()}, i);
    if (!is_new) found.emplace_back(i, at->second);
  }
  return found;
}

std::size_t count(const Holed& holed) { return twins(holed.draft).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  const auto all = twins(holed.draft);
  std::vector<std::size_t> gone;
  for (std::size_t piece = first; piece < last; ++piece) {
    const auto [twin, kept] = all[piece];
    for (std::size_t o = 0; o < holed.draft.steps[twin].outputs.size(); ++o)
      replace_uses(holed.draft, twin + 1, holed.draft.steps[twin].outputs[o], holed.draft.steps[kept].outputs[o]);
    gone.push_back(twin);
  }
  remove_steps(holed.draft, gone);
  return true;
}

}  // namespace

Pass twins_pass() { return {"twins", "merges operators of the same arguments", true, count, apply}; }

}  // namespace pothole
