// One run per distinct execution. A run at any budget certifies the interval around it, so the range
// falls apart into the budgets below and above that interval, which are independent: a binary
// recursion in which every execution is run exactly once, whatever the number of threads.
#include <algorithm>

#include "engine/execution_log.h"
#include "engine/parallel.h"
#include "engine/search.h"

namespace pothole {
namespace {

class ExecutionSearch {
 public:
  ExecutionSearch(const Program& program, const RunSettings& settings, const SearchControl& control, ExecutionLog& log)
      : program_(program), settings_(settings), control_(control), log_(log) {}

  // Every budget of the range, which is not empty.
  void cover(BudgetRange range) {
    const Bytes budget = range.from + (range.to - range.from) / 2;
    const std::optional<Execution> found = run_within(program_, settings_, budget, range, control_);
    if (!found) return;
    log_.add({&*found, 1});
    const auto below = [&] { cover({range.from, found->from}); };
    const auto above = [&] { cover({found->to, range.to}); };
    const bool more_below = range.from < found->from, more_above = found->to < range.to;
    if (more_below && more_above)
      parallel_both(below, above);
    else if (more_below)
      below();
    else if (more_above)
      above();
  }

 private:
  const Program& program_;
  const RunSettings& settings_;
  const SearchControl& control_;
  ExecutionLog& log_;
};

}  // namespace

FeasibilityMap map_by_executions(const Program& program, const RunSettings& settings, BudgetRange range,
                                 const SearchControl& control, std::span<const Execution> known) {
  ExecutionLog log(control, known);
  ExecutionSearch search(program, settings, control, log);
  const std::vector<BudgetRange> gaps = gaps_in(range, known);
  parallel_for(gaps.size(), [&](std::size_t i) { search.cover(gaps[i]); });
  FeasibilityMap map;
  map.from = range.from;
  map.to = range.to;
  map.executions = log.take();
  return map;
}

}  // namespace pothole
