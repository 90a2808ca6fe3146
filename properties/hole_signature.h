// What a hole is recognized by when it is met again on another program, under other names, sizes and costs: where the
// larger budget fails, and on which eviction the two executions part.
#pragma once

#include <cstdint>
#include <string>

#include "engine/run.h"

namespace pothole {

// How a storage stands to the operator of the trace that fails.
enum class Kinship : std::uint8_t { none, argument, ancestor, other };
std::string_view name_of(Kinship kinship);

struct HoleSignature {
  bool at_outputs = false;        // fails while outputs of the trace are brought back, not at an operator
  std::int64_t depth = 0;         // of the request that fails; 1 is the operator itself
  bool parts_at_failure = false;  // the first different eviction is at the failing operator, not before
  // What is evicted there by the one and by the other, as it stands to the failing operator; none if an execution
  // evicts nothing more.
  Kinship evicted_by_ok = Kinship::none, evicted_by_oom = Kinship::none;

  friend bool operator==(const HoleSignature&, const HoleSignature&) = default;
};

// The policy completes at `ok` and runs out of memory at `oom`.
HoleSignature hole_signature(const Program& program, const RunSettings& settings, Bytes ok, Bytes oom);

// "fails at an operator, in a nested rebuild; parts before, where ok evicts an argument and oom another". Depths are
// told coarsely, so that signatures are few.
std::string text_of(const HoleSignature& signature);

}  // namespace pothole
