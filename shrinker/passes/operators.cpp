// Operators, whose dependents lose an argument.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::size_t count(const Holed& holed) { return makers(holed.draft).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  const std::vector<std::size_t> all = makers(holed.draft);
  remove_steps(holed.draft,
               {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)});
  return true;
}

}  // namespace

Pass operators_pass() {
  return {"operators", "drops operators; what uses their outputs does without", true, count, apply};
}

}  // namespace pothole
