// Equal costs of operators together.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_joint_steps_down(holed, Quantity::cost); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return take_joint_step_down(holed, Quantity::cost, first); }

}  // namespace

Pass costs_jointly_down_pass() {
  return {"costs-jointly-down", "bisects equal costs of operators together towards 1", false, count, apply};
}

}  // namespace pothole
