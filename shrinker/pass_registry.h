// Declares what shrinker/passes.def lists, and what passes have in common.
#pragma once

#include <vector>

#include "shrinker/pass.h"

namespace pothole {

#define POTHOLE_PASS(name) Pass name##_pass();
#include "shrinker/passes.def"
#undef POTHOLE_PASS

// Ascending indices.
void remove_steps(Draft& draft, const std::vector<std::size_t>& indices);

// Puts another tensor in the place of one in all steps from `step` on: arguments, aliases, gets, pins. Releases of the
// old one go.
void replace_uses(Draft& draft, std::size_t step, TensorId old, TensorId by);

// By tensor, the number of times it is an argument.
std::vector<std::size_t> use_counts(const Draft& draft);

}  // namespace pothole
