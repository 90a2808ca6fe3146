// Releases, and references taken again.
#include "shrinker/pass_registry.h"

namespace pothole {
namespace {

std::vector<std::size_t> pieces(const Draft& draft) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < draft.steps.size(); ++i)
    if (!draft.steps[i].makes()) steps.push_back(i);
  return steps;
}

std::size_t count(const Holed& holed) { return pieces(holed.draft).size(); }

bool apply(Holed& holed, std::size_t first, std::size_t last) {
  const std::vector<std::size_t> all = pieces(holed.draft);
  remove_steps(holed.draft,
               {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)});
  return true;
}

}  // namespace

Pass releases_pass() { return {"releases", "drops releases and gets", true, count, apply}; }

}  // namespace pothole
