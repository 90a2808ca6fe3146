// All costs of operators at once.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_divisors(holed, Quantity::cost); }

bool apply(Holed& holed, std::size_t first, std::size_t) {
  const std::int64_t divisor = divisor_of(holed, Quantity::cost, first);
  return divide_by(holed, Quantity::cost, divisor);
}

}  // namespace

Pass costs_divided_pass() {
  return {"costs-divided", "divides all costs of operators by a power of two or their common factor", false, count,
          apply};
}

}  // namespace pothole
