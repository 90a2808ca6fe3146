// The feasibility map: all certificates of one policy on one program over a range of budgets, and
// what follows from them. See DESIGN "vocabulary" in README.md for the words.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/run.h"

namespace pothole {

// Budgets [from, to).
struct BudgetRange {
  Bytes from = 0, to = 0;
};

// One distinct execution, cut to the range that was asked for.
struct Execution {
  Bytes from = 0, to = 0;  // budgets [from, to)
  Outcome outcome = Outcome::unresolved;
  std::string_view why_unresolved;
  Cost model_compute = 0;
  Cost remat_compute = 0;
  PolicyFault fault = {};  // of a policy error
  friend bool operator==(const Execution&, const Execution&) = default;
};

// What a merged sweep did and what it saved. Sums over its parts, which do not depend on their order.
struct SearchWork {
  std::int64_t states_merged = 0;
  std::int64_t distinct_steps = 0;   // materializations that were carried out
  std::int64_t execution_steps = 0;  // materializations of all executions, had each been run by itself

  SearchWork& operator+=(const SearchWork& other) {
    states_merged += other.states_merged;
    distinct_steps += other.distinct_steps;
    execution_steps += other.execution_steps;
    return *this;
  }
  friend bool operator==(const SearchWork&, const SearchWork&) = default;
};

struct FeasibilityMap {
  Bytes from = 0, to = 0;
  // In budget order and disjoint. Budgets that no execution covers were not reached: unresolved.
  std::vector<Execution> executions;
  std::string_view why_missing = kInterrupted;  // what left budgets out
  SearchWork work;
};

// Neighbouring executions of one outcome, maximal. Overheads are of ok segments of traces with a
// positive model compute.
struct Segment {
  Bytes from = 0, to = 0;
  Outcome outcome = Outcome::unresolved;
  std::optional<double> overhead_min, overhead_max;
};

// Everything between two neighbouring ok segments, if at least one byte of it is oom.
struct Hole {
  Bytes from = 0, to = 0;
  Bytes oom_bytes = 0, thrashed_bytes = 0, unresolved_bytes = 0, policy_error_bytes = 0;
  Bytes safe_budget = 0;  // the largest smaller budget that completes: from - 1
};

// Three budgets that show a hole, ascending: the policy completes, runs out of memory, completes.
struct Witness {
  Bytes ok = 0, oom = 0, ok_above = 0;
  friend auto operator<=>(const Witness&, const Witness&) = default;  // NOLINT(modernize-use-nullptr)
};

// Budgets that complete at a higher overhead than some smaller budget does.
struct CostInversion {
  Bytes from = 0, to = 0;
  double overhead = 0;
  Bytes smaller_budget = 0;  // the largest one below `from` among those of the least overhead
  double smaller_overhead = 0;
};

struct UnresolvedInterval {
  Bytes from = 0, to = 0;
  std::string_view why;
};

struct PolicyErrorInterval {
  Bytes from = 0, to = 0;
  PolicyFault fault;
};

std::vector<Segment> segments_of(const FeasibilityMap& map);
std::vector<Hole> holes_of(const std::vector<Segment>& segments);
// Of each hole, the closest three budgets: right below it, the first that is oom, right above it.
std::vector<Witness> witnesses_of(const std::vector<Segment>& segments);
std::vector<CostInversion> cost_inversions_of(const FeasibilityMap& map);
std::vector<UnresolvedInterval> unresolved_of(const FeasibilityMap& map);
std::vector<PolicyErrorInterval> policy_errors_of(const FeasibilityMap& map);
std::optional<Bytes> first_success_of(const std::vector<Segment>& segments);
// The least budget at and above which every budget of the range is ok.
std::optional<Bytes> stable_from_of(const std::vector<Segment>& segments);
Bytes certified_bytes_of(const FeasibilityMap& map);

// (model + remat) / model, correctly rounded; nothing unless the execution is ok and model > 0.
std::optional<double> overhead_of(Outcome outcome, Cost model_compute, Cost remat_compute);

}  // namespace pothole
