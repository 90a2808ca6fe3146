// Outputs of operators that have several.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) {
  std::size_t all = 0;
  for (const Draft::Step& step : holed.draft.steps)
    if (step.outputs.size() > 1) all += step.outputs.size();
  return all;
}

bool apply(Holed& holed, std::size_t first, std::size_t) {
  std::size_t piece = 0;
  for (Draft::Step& step : holed.draft.steps) {
    if (step.outputs.size() < 2) continue;
    if (first < piece + step.outputs.size()) {
      step.outputs.erase(step.outputs.begin() + static_cast<std::ptrdiff_t>(first - piece));
      return true;
    }
    piece += step.outputs.size();
  }
  return false;
}

}  // namespace

Pass outputs_pass() { return {"outputs", "drops an output of an operator that has several", false, count, apply}; }

}  // namespace pothole
