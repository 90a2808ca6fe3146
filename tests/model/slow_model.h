// A slow, recursive, obviously right model of a run (semantics sections 2 to 10): the judge of the
// engine. It follows the text paragraph by paragraph and is written from it alone.
//
// Nesting is C++ recursion, so only small programs may be run.
#pragma once

#include "engine/outcome.h"
#include "engine/overhead_limit.h"
#include "engine/program.h"
#include "engine/run.h"
#include "tests/model/slow_scores.h"

namespace pothole {

struct SlowSettings {
  SlowPolicy policy;
  Dealloc dealloc = Dealloc::eager;
  OverheadLimit overhead_limit;
};

// Victims are always recorded; the decision digest stays 0. The outcome is `unresolved` only where a run needs what
// it banished.
RunResult run_slowly(const Program& program, const SlowSettings& settings, Bytes budget);

// Peak resident of the unconstrained eager run.
Bytes slow_peak_of(const Program& program);

}  // namespace pothole
