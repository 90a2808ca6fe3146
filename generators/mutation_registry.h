// Declares what generators/mutations.def lists, and what mutations have in common.
#pragma once

#include <vector>

#include "generators/mutation.h"

namespace pothole {

#define POTHOLE_MUTATION(name) Mutation name##_mutation();
#include "generators/mutations.def"
#undef POTHOLE_MUTATION

// One of a list at random; nothing if it is empty.
std::optional<std::size_t> drawn(const std::vector<std::size_t>& from, SplitMix& random);

// Tensors that the steps before an index make.
std::vector<TensorId> made_before(const Draft& draft, std::size_t step);

// Puts a copy of some steps of `from` before step `at` of the draft. Their tensors are new ones there; arguments that
// come from elsewhere stand for tensors made before `at`, drawn at random. Gets and releases of such go.
void insert_copy(Draft& draft, std::size_t at, const Draft& from, std::size_t begin, std::size_t end, SplitMix& random);

}  // namespace pothole
