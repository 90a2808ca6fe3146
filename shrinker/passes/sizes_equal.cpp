// Fewer distinct sizes of storages.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_equals(holed, Quantity::size); }

bool apply(Holed& holed, std::size_t first, std::size_t) { return set_equal(holed, Quantity::size, first); }

}  // namespace

Pass sizes_equal_pass() { return {"sizes-equal", "makes a size equal to another", false, count, apply}; }

}  // namespace pothole
