// Costs of operators that do not matter.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_not_one(holed, Quantity::cost); }

bool apply(Holed& holed, std::size_t first, std::size_t last) { return set_to_one(holed, Quantity::cost, first, last); }

}  // namespace

Pass costs_to_one_pass() { return {"costs-to-one", "makes costs of operators 1", true, count, apply}; }

}  // namespace pothole
