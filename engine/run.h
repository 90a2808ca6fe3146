// One execution of a program under one policy and budget (semantics sections 3 to 10).
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/exact.h"
#include "engine/outcome.h"
#include "engine/overhead_limit.h"
#include "engine/policy.h"
#include "engine/program.h"

namespace pothole {

class Observer;

// What the last release of a storage does (semantics section 6; banish: engine/banishment.h).
enum class Dealloc : std::uint8_t { eager, ignore, banish };
inline constexpr Dealloc kDeallocs[] = {Dealloc::eager, Dealloc::ignore, Dealloc::banish};

constexpr std::string_view name_of(Dealloc dealloc) {
  switch (dealloc) {
    case Dealloc::eager:
      return "eager";
    case Dealloc::ignore:
      return "ignore";
    case Dealloc::banish:
      return "banish";
  }
  return "";
}

// Everything but the budget. A run is a function of (program, settings, budget) alone.
struct RunSettings {
  ConfiguredPolicy policy;
  Dealloc dealloc = Dealloc::eager;
  OverheadLimit overhead_limit;
  std::uint64_t seed = 0;  // read by policies that draw
  Comparison comparison = Comparison::reference;
  // Never offered to the policy, whatever it would choose: their bytes stay resident until they are released, and count
  // as pinned. What an intervention changes (engine/explanation/intervention.h).
  std::vector<StorageId> retained;
  std::string trace;  // its name, for a message about a plugin that crashes; decides nothing
  // For speed only: the least pool that gets a shortlist (engine/shortlist.h), which is a third of it.
  std::uint32_t shortlist_from = 200;
};

// Empty if runs of these settings have a meaning, else why not: the runtime that banishes keeps no evicted
// neighbourhoods and no classes.
std::string_view why_not_runnable(const RunSettings& settings);

struct RunOptions {
  bool record_victims = false;
  const std::atomic<bool>* stop = nullptr;  // asked now and then; once set the run ends unresolved
  std::int64_t steps_max = std::numeric_limits<std::int64_t>::max();  // materializations; beyond, unresolved
  bool record_decisions = false;
  // Followed instead of asking the policy: its evictions happen when they are due, needed or not, and no others
  // do. A run that lacks room for anything else is oom; a victim that is not in the pool ends it unresolved.
  const Schedule* schedule = nullptr;
  Observer* observer = nullptr;  // told of everything that happens (engine/observer.h)
};

// The settings are runnable.
RunResult run(const Program& program, const RunSettings& settings, Bytes budget, const RunOptions& options = {});

// The peak of a trace: peak resident of the unconstrained run in eager mode.
Bytes peak_of(const Program& program);

// int(peak * ratio) in binary64, what a budget ratio means (semantics section 10).
Bytes budget_at_ratio(Bytes peak, double ratio);

}  // namespace pothole
