// Digits of sizes of storages.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_digits(holed, Quantity::size); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return round_to_digits(holed, Quantity::size, first); }

}  // namespace

Pass sizes_rounded_pass() {
  return {"sizes-rounded", "rounds all sizes of storages down to few digits", false, count, apply};
}

}  // namespace pothole
