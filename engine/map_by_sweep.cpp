// Parts of the range are swept in parallel. A part that grows gives half of its budgets away as a new
// part, by a rule that looks at that part alone, so that the parts and every count are the same for any
// number of threads.
#include <algorithm>
#include <deque>
#include <mutex>

#include "engine/feasibility_map.h"
#include "engine/parallel.h"
#include "engine/sweep.h"

namespace pothole {

FeasibilityMap map_by_sweep(const Program& program, const RunSettings& settings, Bytes from, Bytes to,
                            const SearchControl& control) {
  FeasibilityMap map;
  map.from = from;
  map.to = to;
  if (from >= to) return map;

  std::mutex mutex;  // guards the two below
  std::deque<std::unique_ptr<Sweep>> parts;
  SweepYield total;
  parts.push_back(std::make_unique<Sweep>(program, settings, std::vector<BudgetRange>{{from, to}}, control));
  parallel_growing(1, [&](std::size_t index, const AddIndex& add) {
    std::unique_ptr<Sweep> part;
    {
      const std::lock_guard lock(mutex);
      part = std::move(parts[index]);
    }
    SweepYield yield = part->run([&](std::unique_ptr<Sweep> upper) {
      std::size_t added;
      {
        const std::lock_guard lock(mutex);
        added = parts.size();
        parts.push_back(std::move(upper));
      }
      add(added);
    });
    part.reset();
    const std::lock_guard lock(mutex);
    total.executions.insert(total.executions.end(), yield.executions.begin(), yield.executions.end());
    total.states_merged += yield.states_merged;
    total.distinct_steps += yield.distinct_steps;
    total.execution_steps += yield.execution_steps;
  });
  map.executions = std::move(total.executions);
  std::sort(map.executions.begin(), map.executions.end(),
            [](const Execution& a, const Execution& b) { return a.from < b.from; });
  map.states_merged = total.states_merged;
  map.distinct_steps = total.distinct_steps;
  map.execution_steps = total.execution_steps;
  return map;
}

}  // namespace pothole
