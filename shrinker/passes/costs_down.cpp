// Costs of operators one by one.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_steps_down(holed, Quantity::cost); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return take_step_down(holed, Quantity::cost, first); }

}  // namespace

Pass costs_down_pass() { return {"costs-down", "bisects a cost towards 1", false, count, apply}; }

}  // namespace pothole
