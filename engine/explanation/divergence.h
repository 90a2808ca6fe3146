// Where two executions of one policy part, and what each does before, on the way and inside the operator that fails.
//
// Evictions are counted in two ways: with those on release, as the published study counts, and the policy's alone.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/explanation/history.h"

namespace pothole {

// Of one kind of counting.
struct Parting {
  std::size_t common = 0;  // evictions before it, the same in both
  // The first that differ, as places in `events`; nothing where an execution evicts nothing more.
  std::optional<std::size_t> ok, oom;
};

struct PhaseCount {
  std::int64_t evictions_by_policy = 0, evictions_on_release = 0, remats = 0;
  std::int64_t evictions() const { return evictions_by_policy + evictions_on_release; }
};

struct Divergence {
  Parting all, by_policy;
  std::uint32_t failing_place = 0;
  PhaseCount before;  // the first differing eviction of all: the same in both
  // From there, where one execution evicts what the other does not, to the failing place; at it.
  struct Phases {
    PhaseCount apart, inside;
  } ok, oom;
  // Of the places before the failing one: the largest difference of the two peaks of pinned bytes and where, and how
  // many places in a row right before the failing one agree in it.
  Bytes pinned_difference = 0;
  std::uint32_t pinned_difference_at = 0;
  std::uint32_t pinned_equal_before_failure = 0;
};

// `oom` ends at its failing place.
Divergence divergence_of(const History& ok, const History& oom);

}  // namespace pothole
