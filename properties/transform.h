// Changes to a program after which an execution should make the same decisions. Each gives a new program, or
// nothing where it would pass the limits of ProgramBuilder.
#pragma once

#include <optional>

#include "engine/decisions.h"
#include "engine/program.h"

namespace pothole {

std::optional<Program> with_sizes_times(const Program& program, std::int64_t factor);
std::optional<Program> with_costs_times(const Program& program, std::int64_t factor);

// Every tensor and operator under another name.
std::optional<Program> renamed(const Program& program);

// A program with one operator more, whose output is not used by any other. Operators and tensors from its
// own on have moved up by one.
struct Extended {
  Program program;
  TensorId added = 0;  // the output
};

// A constant of so many bytes before everything else.
std::optional<Extended> with_padding(const Program& program, Bytes bytes);

// An operator of cost 0 with an output of 0 bytes, released at once, before operator `before`, or at the end.
std::optional<Extended> with_unused_tensor(const Program& program, OperatorId before);

// Decisions on the extended program as they would be on the original one: without those on what was added.
std::vector<Decision> decisions_without(TensorId added, std::span<const Decision> decisions);

}  // namespace pothole
