// Changes of existing programs, drawn at random, from which a campaign goes on. Adding one: a file in
// generators/mutations/ and a line in generators/mutations.def.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/draft.h"
#include "generators/split_mix.h"

namespace pothole {

struct Mutation {
  std::string_view name;
  std::string_view sentence;  // what it does
  // Changes the draft, in time linear in it and in `other`, which pieces may come from; what dangles is mended
  // afterwards. False if there is nothing to change.
  bool (*apply)(Draft& draft, const Draft& other, SplitMix& random) = nullptr;
};

// All mutations, in the order of the list in generators/mutations.def.
std::span<const Mutation> mutations();

// The program after so many mutations drawn at random; nothing if they come to no valid program.
std::optional<Program> mutated(const Program& program, const Program& other, SplitMix& random, int edits);

}  // namespace pothole
