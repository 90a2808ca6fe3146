// The ways to find a feasibility map. All agree where they overlap, and none depends on the number of
// threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "engine/feasibility_map.h"
#include "engine/sweep_part.h"

namespace pothole {

// Below this peak every budget of a program is looked at where nobody asks for less.
inline constexpr Bytes kSmallPeak = 10'000;

struct SearchLimits {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::int64_t steps = kNone;   // materializations of one execution; beyond, it is unresolved
  std::int64_t memory = kNone;  // bytes that states of a sweep may take, about
  std::int64_t runs = kNone;    // of a bisection
};

// What has come about since the last report. Executions and parts belong together: whoever keeps both can set the
// search up again as it was.
struct SearchReport {
  std::span<const Execution> found;   // in no order
  std::span<const PartReport> parts;  // of a sweep: those that have changed
};

struct SearchControl {
  const std::atomic<bool>* stop = nullptr;  // once set, what is under way is left out of the map
  SearchLimits limits;
  // Called from any thread.
  std::function<void(const SearchReport&)> on_report;
};

// Empty if the settings can be certified, else why not: the policy reads the budget itself.
std::string_view why_not_certifiable(const RunSettings& settings);

// The merged sweep: advances all executions together (DESIGN, section 2). `known` holds executions of
// an earlier, interrupted search of the same range, which are taken over, and `under_way` the parts that it had
// not ended, numbered in this order; their work so far counts.
FeasibilityMap map_by_sweep(const Program& program, const RunSettings& settings, BudgetRange range,
                            const SearchControl& control = {}, std::span<const Execution> known = {},
                            std::span<const SweepPart> under_way = {});

// One run per distinct execution.
FeasibilityMap map_by_executions(const Program& program, const RunSettings& settings, BudgetRange range,
                                 const SearchControl& control = {}, std::span<const Execution> known = {});

// Runs in the order of what they can tell: a coarse grid, then the widest gap between two budgets that
// complete, then the widest gap of all, until everything is certified or a limit is met.
FeasibilityMap map_by_bisection(const Program& program, const RunSettings& settings, BudgetRange range,
                                const SearchControl& control = {}, std::span<const Execution> known = {});

// Runs at the given budgets only. Each certifies what is around it; the rest of the range stays unknown.
FeasibilityMap map_by_grid(const Program& program, const RunSettings& settings, BudgetRange range,
                           std::span<const Bytes> budgets, const SearchControl& control = {});

void sort_by_budget(std::vector<Execution>& executions);

// The parts of a range that executions in budget order do not cover.
std::vector<BudgetRange> gaps_in(BudgetRange range, std::span<const Execution> executions);

}  // namespace pothole
