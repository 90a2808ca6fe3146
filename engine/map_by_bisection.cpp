// Rounds of runs, each at the middle of a gap: the same rounds for any number of threads.
#include <algorithm>
#include <limits>

#include "engine/execution_log.h"
#include "engine/parallel.h"
#include "engine/search.h"

namespace pothole {
namespace {

constexpr Bytes kGridIntervals = 64;
constexpr std::size_t kRunsPerRound = 16;

class Bisection {
 public:
  Bisection(const Program& program, const RunSettings& settings, BudgetRange range, const SearchControl& control,
            std::span<const Execution> known)
      : program_(program),
        settings_(settings),
        range_(range),
        control_(control),
        log_(control, {}),
        known_(known.begin(), known.end()),
        runs_left_(control.limits.runs) {}

  FeasibilityMap search() {
    bool going_on = run_grid();
    for (std::vector<Bytes> budgets; going_on; going_on = run_round(std::move(budgets))) {
      budgets = next_budgets();
      if (budgets.empty()) break;
    }
    FeasibilityMap map;
    map.from = range_.from;
    map.to = range_.to;
    if (runs_left_ == 0) map.why_missing = "run limit";
    map.executions = std::move(known_);
    return map;
  }

 private:
  // Coarse to fine, so that a limit on runs leaves an even grid, and what a coarser one has certified is
  // not run again. False once the search is to end.
  bool run_grid() {
    const Bytes last = range_.to - 1 - range_.from;
    if (last < 0) return true;
    const auto budget_of = [&](Bytes point) {
      return range_.from + static_cast<Bytes>(WideCost{last} * point / kGridIntervals);
    };
    bool going_on = run_round({range_.from, range_.to - 1});
    for (Bytes step = kGridIntervals; step > 1 && going_on; step /= 2) {
      std::vector<Bytes> budgets;
      for (Bytes point = step / 2; point < kGridIntervals; point += step) budgets.push_back(budget_of(point));
      going_on = run_round(std::move(budgets));
    }
    return going_on;
  }

  // The middles of the widest gaps, those between two budgets that complete first.
  std::vector<Bytes> next_budgets() const {
    const auto is_ok = [](const Execution& e) { return e.outcome == Outcome::ok; };
    const auto first_ok = std::find_if(known_.begin(), known_.end(), is_ok);
    const auto last_ok = std::find_if(known_.rbegin(), known_.rend(), is_ok);
    const Bytes low = first_ok == known_.end() ? range_.to : first_ok->to;
    const Bytes high = last_ok == known_.rend() ? range_.from : last_ok->from;
    const auto between = [&](const BudgetRange& gap) { return gap.from >= low && gap.to <= high; };
    std::vector<BudgetRange> gaps = gaps_in(range_, known_);
    std::sort(gaps.begin(), gaps.end(), [&](const BudgetRange& a, const BudgetRange& b) {
      if (between(a) != between(b)) return between(a);
      const Bytes a_width = a.to - a.from, b_width = b.to - b.from;
      return a_width != b_width ? a_width > b_width : a.from < b.from;
    });
    std::vector<Bytes> budgets;
    for (const BudgetRange& gap : gaps) {
      if (budgets.size() == kRunsPerRound) break;
      budgets.push_back(gap.from + (gap.to - gap.from) / 2);
    }
    return budgets;
  }

  // False once the search is to end.
  bool run_round(std::vector<Bytes> budgets) {
    budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
    std::erase_if(budgets, [&](Bytes budget) { return covered(budget); });
    if (static_cast<std::int64_t>(budgets.size()) > runs_left_) budgets.resize(static_cast<std::size_t>(runs_left_));
    runs_left_ -= runs_left_ == SearchLimits::kNone ? 0 : static_cast<std::int64_t>(budgets.size());
    std::vector<std::optional<Execution>> found(budgets.size());
    parallel_for(budgets.size(),
                 [&](std::size_t i) { found[i] = run_within(program_, settings_, budgets[i], range_, control_); });
    bool complete = runs_left_ > 0;
    for (const std::optional<Execution>& execution : found) {
      complete = complete && execution;
      if (!execution || covered(execution->from)) continue;  // stopped, or two budgets of one execution
      const auto at = std::lower_bound(known_.begin(), known_.end(), *execution,
                                       [](const Execution& a, const Execution& b) { return a.from < b.from; });
      known_.insert(at, *execution);
      log_.add({&*execution, 1});
    }
    return complete;
  }

  bool covered(Bytes budget) const {
    const auto after =
        std::upper_bound(known_.begin(), known_.end(), budget, [](Bytes b, const Execution& e) { return b < e.from; });
    return after != known_.begin() && budget < std::prev(after)->to;
  }

  const Program& program_;
  const RunSettings& settings_;
  const BudgetRange range_;
  const SearchControl& control_;
  ExecutionLog log_;
  std::vector<Execution> known_;  // in budget order
  std::int64_t runs_left_;
};

}  // namespace

FeasibilityMap map_by_bisection(const Program& program, const RunSettings& settings, BudgetRange range,
                                const SearchControl& control, std::span<const Execution> known) {
  return Bisection(program, settings, range, control, known).search();
}

}  // namespace pothole
