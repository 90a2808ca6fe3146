// Equal sizes of storages together.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_joint_steps_down(holed, Quantity::size); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return take_joint_step_down(holed, Quantity::size, first); }

}  // namespace

Pass sizes_jointly_down_pass() {
  return {"sizes-jointly-down", "bisects equal sizes of storages together towards 1", false, count, apply};
}

}  // namespace pothole
