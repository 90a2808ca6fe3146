// Constants.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return steps_of_kind(holed.draft, Draft::Step::Kind::constant).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t) {
  Draft& draft = holed.draft;
  Draft::Step& step = draft.steps[steps_of_kind(draft, Draft::Step::Kind::constant)[first]];
  step.kind = Draft::Step::Kind::issue;
  step.cost = 1;
  for (const Draft::Step& other : draft.steps)
    if (other.kind == Draft::Step::Kind::issue && &other != &step) step.cost = other.cost;
  return true;
}

}  // namespace

Pass constants_pass() { return {"constants", "makes a constant an ordinary operator", false, count, apply}; }

}  // namespace pothole
