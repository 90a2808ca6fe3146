// A schedule (`pothole-schedule/1`): what an execution computes, evicts and releases, in order, for anybody to follow.
#pragma once

#include <span>
#include <string>

#include "corpus/trace.h"
#include "engine/decisions.h"

namespace pothole {

struct ScheduleFile {
  std::string trace, sha256;  // of the trace that it is for
  std::string policy;         // whose decisions they are
  Bytes budget = 0;           // at which it took them
  Bytes peak = 0;             // the least budget at which they can be followed
};

// One step a line, an object with one key: compute, evict or release, and the name of a tensor. What is computed is
// the operator that makes the tensor, with all its outputs; what is evicted or released is the storage of the tensor.
std::string schedule_text(const ScheduleFile& head, const Program& program, std::span<const Decision> decisions);

}  // namespace pothole
