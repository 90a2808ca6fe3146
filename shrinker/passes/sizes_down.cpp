// Sizes of storages one by one.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_steps_down(holed, Quantity::size); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return take_step_down(holed, Quantity::size, first); }

}  // namespace

Pass sizes_down_pass() { return {"sizes-down", "bisects a size towards 1", false, count, apply}; }

}  // namespace pothole
