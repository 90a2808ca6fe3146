// One run per budget of the grid; the runs are independent.
#include <algorithm>

#include "engine/execution_log.h"
#include "engine/parallel.h"
#include "engine/search.h"

namespace pothole {

FeasibilityMap map_by_grid(const Program& program, const RunSettings& settings, BudgetRange range,
                           std::span<const Bytes> budgets, const SearchControl& control) {
  std::vector<std::optional<Execution>> found(budgets.size());
  ExecutionLog log(control, {});
  parallel_for(budgets.size(), [&](std::size_t i) {
    found[i] = run_within(program, settings, budgets[i], range, control);
    if (found[i]) log.add({&*found[i], 1});
  });
  FeasibilityMap map;
  map.from = range.from;
  map.to = range.to;
  map.why_missing = "not sampled";
  map.executions = log.take();
  // Several budgets may lie in one execution.
  map.executions.erase(std::unique(map.executions.begin(), map.executions.end()), map.executions.end());
  return map;
}

}  // namespace pothole
