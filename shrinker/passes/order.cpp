// One order of what may stand in several.
#include <algorithm>

#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

// Two steps next to each other change places, or two arguments of an operator.
std::size_t pairs_of_arguments(const Draft::Step& step) {
  return step.arguments.empty() ? 0 : step.arguments.size() - 1;
}

std::size_t count(const Holed& holed) {
  std::size_t all = holed.draft.steps.empty() ? 0 : holed.draft.steps.size() - 1;
  for (const Draft::Step& step : holed.draft.steps) all += pairs_of_arguments(step);
  return all;
}

bool apply(Holed& holed, std::size_t first, std::size_t) {
  std::vector<Draft::Step>& steps = holed.draft.steps;
  if (first + 1 < steps.size()) {
    Draft::Step &a = steps[first], &b = steps[first + 1];
    const auto makes = [&](TensorId t) { return std::find(a.outputs.begin(), a.outputs.end(), t) != a.outputs.end(); };
    const bool depends = std::any_of(b.arguments.begin(), b.arguments.end(), makes) || (!b.makes() && makes(b.tensor));
    if (!depends) std::swap(a, b);
    return !depends;
  }
  first -= steps.size() - 1;
  for (Draft::Step& step : steps) {
    if (first < pairs_of_arguments(step)) {
      std::swap(step.arguments[first], step.arguments[first + 1]);
      return step.arguments[first] != step.arguments[first + 1];
    }
    first -= pairs_of_arguments(step);
  }
  return false;
}

}  // namespace

Pass order_pass() { return {"order", "swaps neighbouring steps or arguments", false, count, apply}; }

}  // namespace pothole
