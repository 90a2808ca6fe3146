// One run per distinct execution. A run at any budget certifies the interval around it, so the range
// falls apart into the budgets below and above that interval, which are independent: a binary
// recursion in which every execution is run exactly once, whatever the number of threads.
#include <algorithm>
#include <mutex>

#include "engine/feasibility_map.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

class ExecutionSearch {
 public:
  ExecutionSearch(const Program& program, const RunSettings& settings, const SearchControl& control)
      : program_(program), settings_(settings), control_(control) {}

  // Every budget in [from, to), not empty.
  void cover(Bytes from, Bytes to) {
    if (stopped()) return;
    const Bytes budget = from + (to - from) / 2;
    RunOptions options;
    options.stop = control_.stop;
    const RunResult result = run(program_, settings_, budget, options);
    if (stopped() && result.outcome == Outcome::unresolved) return;
    const Bytes low = std::max(from, result.certificate.lo), high = std::min(to, result.certificate.hi);
    keep({low, high, result.outcome, result.why_unresolved, result.measures.model_compute,
          result.measures.remat_compute});
    const auto below = [&] { cover(from, low); };
    const auto above = [&] { cover(high, to); };
    if (from < low && high < to)
      parallel_both(below, above);
    else if (from < low)
      below();
    else if (high < to)
      above();
  }

  std::vector<Execution> take() {
    std::sort(found_.begin(), found_.end(), [](const Execution& a, const Execution& b) { return a.from < b.from; });
    return std::move(found_);
  }

 private:
  bool stopped() const { return control_.stop && control_.stop->load(std::memory_order_relaxed); }

  void keep(const Execution& execution) {
    {
      const std::lock_guard lock(mutex_);
      found_.push_back(execution);
    }
    if (control_.on_certified) control_.on_certified(execution.to - execution.from);
  }

  const Program& program_;
  const RunSettings& settings_;
  const SearchControl& control_;
  std::mutex mutex_;
  std::vector<Execution> found_;
};

}  // namespace

FeasibilityMap map_by_executions(const Program& program, const RunSettings& settings, Bytes from, Bytes to,
                                 const SearchControl& control) {
  FeasibilityMap map;
  map.from = from;
  map.to = to;
  if (from >= to) return map;
  ExecutionSearch search(program, settings, control);
  search.cover(from, to);
  map.executions = search.take();
  return map;
}

}  // namespace pothole
