// Sizes of storages that do not matter.
#include "shrinker/pass_registry.h"
#include "shrinker/values.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return count_not_one(holed, Quantity::size); }

bool apply(Holed& holed, std::size_t first, std::size_t last) { return set_to_one(holed, Quantity::size, first, last); }

}  // namespace

Pass sizes_to_one_pass() { return {"sizes-to-one", "makes sizes of storages 1", true, count, apply}; }

}  // namespace pothole
