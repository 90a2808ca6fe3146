// The decisions of one execution, in order: enough to check it without the engine, or to follow it at
// another budget.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/units.h"

namespace pothole {

class Program;

struct Decision {
  enum class Kind : std::uint8_t {
    computed,  // the operator of the tensor, for its sake
    evicted,   // the storage of the root tensor, by the policy
    released,  // likewise, at its last release
  };
  Kind kind = Kind::computed;
  TensorId tensor = 0;
  friend bool operator==(const Decision&, const Decision&) = default;
};

// The operator of the trace that was under way, or next, at decisions[index], which may be the end; the number
// of operators while outputs are brought back. Every operator is computed for the first time when the
// trace issues it.
OperatorId operator_at(const Program& program, std::span<const Decision> decisions, std::size_t index);

// An eviction and when it is due: while room is made for the materialization before which so many have been
// computed.
struct ScheduledEviction {
  std::int64_t computed_before = 0;
  TensorId victim = 0;  // the root of a storage
  friend bool operator==(const ScheduledEviction&, const ScheduledEviction&) = default;
};

// What stands in for a policy when a run is to repeat the evictions of another (RunOptions::schedule), in the
// order in which they are due.
using Schedule = std::vector<ScheduledEviction>;

// The policy's evictions among the decisions.
Schedule schedule_of(std::span<const Decision> decisions);

}  // namespace pothole
