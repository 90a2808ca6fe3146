// All that `explain` finds out about a hole, before anything is said of it.
#pragma once

#include <optional>

#include "cli/hole_origin.h"
#include "engine/explanation/decision_table.h"
#include "engine/explanation/divergence.h"
#include "engine/explanation/intervention.h"
#include "shrinker/variation.h"

namespace pothole {

struct ExplanationOptions {
  std::int64_t max_steps = 0;
  std::size_t interventions = 0;  // runs
  std::optional<DecisionRange> decisions;
  bool quiet = false;
};

struct Explanation {
  HoleOrigin origin;
  Bytes peak = 0;   // of the trace
  History ok, oom;  // at witness.ok and witness.oom
  Divergence divergence;
  Rebuild rebuild;
  Interventions interventions;
  // Decisions at the first differing eviction of the policy, each execution's own.
  std::optional<DecisionRow> parting_ok, parting_oom;
  // The last eviction, in the failing execution before it fails, of what prevents the failure.
  std::optional<DecisionRow> cause;
  std::size_t cause_at = 0;  // in oom.events, if there is a cause
  // The completing execution's evictions followed without a policy: the peak is the least budget that they need, so
  // that they complete at every budget from there on, those of the hole among them.
  Bytes schedule_peak = 0;
  DecisionTable table_ok, table_oom;   // if asked for
  std::optional<Variation> variation;  // of a small case
};

// The storage whose retention alone prevents the failure and was needed first; nothing if none does.
std::optional<StorageId> preventing_storage(const Explanation& explanation);

// Both budgets must show what the witness says. Nothing if it was stopped. Throws InputError where the completing
// execution cannot be followed.
std::optional<Explanation> explain_hole(HoleOrigin origin, const ExplanationOptions& options);

}  // namespace pothole
