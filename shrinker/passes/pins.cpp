// Outputs of the trace.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return holed.draft.pins.size(); }

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  std::vector<TensorId>& pins = holed.draft.pins;
  pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(first), pins.begin() + static_cast<std::ptrdiff_t>(last));
  return true;
}

}  // namespace

Pass pins_pass() { return {"pins", "drops outputs of the trace", true, count, apply}; }

}  // namespace pothole
