// Two feasibility maps of one program over one range, budget by budget: what a change of the policy does.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/feasibility_map.h"

namespace pothole {

// A hole of one map in the light of the other.
struct HoleChange {
  Hole hole;
  Bytes more = 0;           // bytes of it that are in no hole of the other map
  Bytes failing_there = 0;  // of these, where the other map does not complete either
};

struct MapComparison {
  // Bytes of the range: where both complete, where only one does, where neither does, and where either has no outcome.
  Bytes both_ok = 0, base_only = 0, head_only = 0, neither = 0, unresolved = 0;
  // Holes of the head that overlap none of the base; those that overlap some and go beyond; holes of the base that
  // overlap none of the head.
  std::vector<HoleChange> opened, widened, closed;
  std::optional<Bytes> base_first, head_first;    // first success
  std::optional<Bytes> base_stable, head_stable;  // stable from
  Bytes base_hole_bytes = 0, head_hole_bytes = 0;
  // Overhead of the head divided by that of the base, over every budget where both complete: the geometric mean, each
  // byte with the same weight, and the worst with the first budgets that have it. Nothing where there are none.
  std::optional<double> mean_overhead, worst_overhead;
  BudgetRange worst_at;
  // The same intervals with the same outcomes and compute.
  bool same_map = false;
};

// The maps must be of the same range.
MapComparison compare_maps(const FeasibilityMap& base, const FeasibilityMap& head);

// A digest of the decisions of each execution of a map, in order: each is run once. Nothing if it was stopped.
std::optional<std::vector<std::uint64_t>> decision_digests(const Program& program, const RunSettings& settings,
                                                           const FeasibilityMap& map,
                                                           const std::atomic<bool>* stop = nullptr);

}  // namespace pothole
