// All programs within small bounds, one after the other.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/program.h"

namespace pothole {

struct TinyBounds {
  std::uint32_t operators = 3;  // exactly so many
  Bytes size_min = 0, size_max = 2;
  Cost cost_min = 0, cost_max = 2;
  std::uint32_t outputs_max = 1;
  bool releases = true;  // else nothing is ever released
};

// Calls back for every program: every set of arguments of every operator (in order of creation),
// every output fresh or in the storage of an argument, every size and cost, and after each operator
// every set of tensors released for good. What is never released is pinned at the end, as a trace
// does with its outputs. Returns how many there were.
std::uint64_t for_each_tiny_program(const TinyBounds& bounds, const std::function<void(const Program&)>& callback);

}  // namespace pothole
