// Cause by intervention: the failing execution again under the same budget, with storages retained that it evicts. What
// then completes shows that their eviction was needed for the failure; it says nothing of how a policy could know.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/explanation/rebuild.h"

namespace pothole {

struct Intervention {
  std::vector<StorageId> retained;  // ascending
  Outcome outcome = Outcome::unresolved;
  Measures measures;
  bool completes() const { return outcome == Outcome::ok; }
};

struct InterventionLimits {
  std::int64_t steps = std::numeric_limits<std::int64_t>::max();  // of one execution
  std::size_t runs = 4'000;                                       // of all, about
  const std::atomic<bool>* stop = nullptr;
  std::function<void()> on_run;  // after each, from any thread
};

struct Interventions {
  Intervention control;             // nothing retained, through the same code
  bool control_reproduces = false;  // decision for decision; if not, nothing below was tried
  // Each by itself: what the failing execution evicted, the completing one kept, and the failing operator's rebuild
  // needed, in the order in which it was needed.
  std::vector<Intervention> likely;
  // Each by itself: whatever else the failing execution evicted, in the order of the first time. Only tried if none of
  // the likely ones completes.
  std::vector<Intervention> others;
  // The smallest sets found that complete: of those tried, every single one that does, or if none does, every pair, and
  // so on as far as the runs go; or else one set of which none can be left out. In the order of what is above.
  std::vector<Intervention> smallest;
  // No smaller set of what the execution evicts completes: all were tried to an outcome.
  bool smallest_is_certain = false;
  bool all_tried = false;  // no set at all completes, likewise

  const Intervention* best() const { return smallest.empty() ? nullptr : &smallest.front(); }
};

// In parallel, folded by index.
Interventions intervene(const Program& program, const RunSettings& settings, const History& oom, const Rebuild& rebuild,
                        const InterventionLimits& limits);

}  // namespace pothole
