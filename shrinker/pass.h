// Edits that may make a program smaller and keep its hole. Adding one: a file in shrinker/passes/ and a line in
// shrinker/passes.def.
//
// A pass is a list of edits, numbered for each program anew: edit i changes piece i. What it leaves dangling is mended
// afterwards, and whether the result is smaller and keeps the hole is for others to judge.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/draft.h"
#include "engine/feasibility_map.h"

namespace pothole {

// A program with a hole, as passes edit it.
struct Holed {
  Draft draft;
  Witness near;            // budgets that show the hole; after an edit, about where to look for it
  OperatorId failing = 0;  // the operator of the trace that fails at near.oom; their number at its outputs
};

struct Pass {
  std::string_view name;
  std::string_view sentence;  // what an edit does
  // Edits of neighbouring pieces may be done together, which is tried first on large programs.
  bool in_runs = false;
  std::size_t (*count)(const Holed& holed) = nullptr;
  // The edits first .. last - 1, one unless in_runs. False if they change nothing.
  bool (*apply)(Holed& holed, std::size_t first, std::size_t last) = nullptr;
};

// All passes, in the order of the list in shrinker/passes.def: coarse to fine.
std::span<const Pass> passes();

}  // namespace pothole
