// Edges of the graph.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) {
  std::size_t all = 0;
  for (const Draft::Step& step : holed.draft.steps) all += step.arguments.size();
  return all;
}

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  std::size_t piece = 0;
  for (Draft::Step& step : holed.draft.steps)
    std::erase_if(step.arguments, [&](TensorId) {
      const std::size_t at = piece++;
      return at >= first && at < last;
    });
  return true;
}

}  // namespace

Pass arguments_pass() { return {"arguments", "drops arguments of operators", true, count, apply}; }

}  // namespace pothole
