// A batch of executions: one JSON object per line in, one per line out, in the same order.
#pragma once

#include <cstddef>
#include <string>

#include "cli/output.h"
#include "corpus/trace.h"
#include "engine/run.h"

namespace pothole {

struct BatchSettings {
  std::string file;      // "-" is standard input
  RunSettings defaults;  // what a line may leave out
  ReadOptions read;
  std::string plugin_limit;
  bool victims = false;
  bool quiet = false;
};

struct BatchSummary {
  std::size_t lines = 0;          // written
  std::size_t errors = 0;         // of them, lines that could not be run
  std::size_t policy_errors = 0;  // of them, runs that a policy spoilt
  bool interrupted = false;       // the lines written are the first ones
};

// On the calling thread arena. The lines written do not depend on the number of threads. Throws
// InputError if the batch itself cannot be read.
BatchSummary run_batch(const BatchSettings& settings, JsonReport& report);

}  // namespace pothole
