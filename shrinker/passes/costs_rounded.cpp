// Digits of costs of operators.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_digits(holed, Quantity::cost); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return round_to_digits(holed, Quantity::cost, first); }

}  // namespace

Pass costs_rounded_pass() {
  return {"costs-rounded", "rounds all costs of operators down to few digits", false, count, apply};
}

}  // namespace pothole
