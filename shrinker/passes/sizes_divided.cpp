// All sizes of storages at once.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_divisors(holed, Quantity::size); }

bool apply(Holed& holed, std::size_t first, std::size_t) {
  const std::int64_t divisor = divisor_of(holed, Quantity::size, first);
  for (Bytes* budget : {&holed.near.ok, &holed.near.oom, &holed.near.ok_above}) *budget /= divisor;
  return divide_by(holed, Quantity::size, divisor);
}

}  // namespace

Pass sizes_divided_pass() {
  return {"sizes-divided", "divides all sizes of storages by a power of two or their common factor, and the budgets",
          false, count, apply};
}

}  // namespace pothole
