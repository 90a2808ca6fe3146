// Parts of the range are swept in parallel. A part that grows gives half of its budgets away as a new
// part, by a rule that looks at that part alone, so that the parts and every count are the same for any
// number of threads.
#include <atomic>
#include <deque>
#include <mutex>

#include "engine/parallel.h"
#include "engine/sweep.h"

namespace pothole {

FeasibilityMap map_by_sweep(const Program& program, const RunSettings& settings, BudgetRange range,
                            const SearchControl& control, std::span<const Execution> known) {
  std::atomic<std::int64_t> memory = 0;
  ExecutionLog log(control, known);
  std::mutex mutex;  // guards the two below
  std::deque<std::unique_ptr<Sweep>> parts;
  SearchWork total;
  for (const BudgetRange& gap : gaps_in(range, known))
    parts.push_back(std::make_unique<Sweep>(program, settings, gap, control, log, memory));
  parallel_growing(parts.size(), [&](std::size_t index, const AddIndex& add) {
    std::unique_ptr<Sweep> part;
    {
      const std::lock_guard lock(mutex);
      part = std::move(parts[index]);
    }
    const SearchWork work = part->run([&](std::unique_ptr<Sweep> upper) {
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
    total += work;
  });
  FeasibilityMap map;
  map.from = range.from;
  map.to = range.to;
  map.executions = log.take();
  map.work = total;
  return map;
}

}  // namespace pothole
