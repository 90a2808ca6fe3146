// Fewer distinct costs of operators.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_equals(holed, Quantity::cost); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return set_equal(holed, Quantity::cost, first); }

}  // namespace

Pass costs_equal_pass() { return {"costs-equal", "makes a cost equal to another", false, count, apply}; }

}  // namespace pothole
