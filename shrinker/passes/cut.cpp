// What comes after the failure: a prefix of a run that completes does so as well.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return holed.failing < makers(holed.draft).size() ? 1 : 0; }

bool apply(Holed& holed, std::size_t, std::size_t) {
  std::vector<Draft::Step>& steps = holed.draft.steps;
  const std::size_t kept = makers(holed.draft)[holed.failing] + 1;
  const bool changed = steps.size() > kept || !holed.draft.pins.empty();
  steps.resize(kept);
  holed.draft.pins.clear();
  return changed;
}

}  // namespace

Pass cut_pass() { return {"cut", "drops everything after the operator that fails", false, count, apply}; }

}  // namespace pothole
