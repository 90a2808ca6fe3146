#include "properties/subject.h"

#include <algorithm>

#include "engine/parallel.h"

namespace pothole {

Subject::Subject(const Program& program, RunSettings settings, CheckPlan plan)
    : program_(program),
      settings_(std::move(settings)),
      plan_(std::move(plan)),
      is_small_(peak_of(program) < kSmallPeak) {
  if (is_small_) {
    run_every_execution();
  } else {
    search_map();
    run_sample();
  }
}

RunResult Subject::run(const RunSettings& settings, const Program& program, Bytes budget,
                       const Schedule* schedule) const {
  RunOptions options;
  options.stop = plan_.stop;
  options.steps_max = plan_.steps_max;
  options.record_decisions = true;
  options.schedule = schedule;
  return plan_.run(program, settings, budget, options);
}

SearchControl Subject::search_control() const {
  SearchControl control;
  control.stop = plan_.stop;
  control.limits.steps = plan_.steps_max;
  return control;
}

CheckedRun Subject::checked_run(Bytes budget) const {
  CheckedRun checked;
  checked.budget = budget;
  checked.result = run(budget);
  // A certificate may be wrong, which is for a property to say.
  checked.budgets.from = std::clamp(checked.result.certificate.lo, plan_.range.from, budget);
  checked.budgets.to = std::clamp(checked.result.certificate.hi, budget + 1, plan_.range.to);
  return checked;
}

void Subject::run_every_execution() {
  for (Bytes budget = plan_.range.from; budget < plan_.range.to; budget = runs_.back().budgets.to) {
    CheckedRun checked = checked_run(budget);
    if (checked.result.why_unresolved == kInterrupted) {
      why_runs_missing_ = kInterrupted;
      break;
    }
    runs_.push_back(std::move(checked));
  }
  if (plan_.map) {
    map_ = *plan_.map;
    return;
  }
  map_.from = plan_.range.from;
  map_.to = plan_.range.to;
  for (const CheckedRun& r : runs_) map_.executions.push_back(execution_of(r));
}

void Subject::search_map() {
  map_is_sampled_ = !why_not_certifiable(settings_).empty();
  SearchControl control = search_control();
  if (plan_.on_found) control.on_report = [this](const SearchReport& report) { plan_.on_found(report.found); };
  if (plan_.map) {
    map_ = *plan_.map;
  } else if (map_is_sampled_) {
    map_.from = plan_.range.from;
    map_.to = plan_.range.to;
    map_ = map_by_grid(program_, settings_, plan_.range, sampled_budgets(), control);
  } else {
    map_ = map_by_sweep(program_, settings_, plan_.range, control);
  }
}

// Ascending and of different executions, as far as the map knows them.
std::vector<Bytes> Subject::sampled_budgets() const {
  const auto [from, to] = plan_.range;
  std::vector<Bytes> budgets;
  for (const Segment& s : segments_of(map_)) {
    if (!is_evidence(s.outcome)) continue;
    budgets.push_back(s.from);
    budgets.push_back(s.to - 1);
  }
  const auto count = static_cast<Bytes>(plan_.sample);
  for (Bytes i = 0; i < count && from < to; ++i)
    budgets.push_back(from +
                      static_cast<Bytes>(static_cast<__int128>(to - 1 - from) * i / std::max<Bytes>(count - 1, 1)));
  std::sort(budgets.begin(), budgets.end());
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  return budgets;
}

void Subject::run_sample() {
  std::vector<Bytes> budgets;
  const bool all = !map_is_sampled_ && map_.executions.size() <= plan_.sample && unresolved_of(map_).empty();
  if (all) {
    for (const Execution& e : map_.executions) budgets.push_back(e.from);
  } else {
    auto execution = map_.executions.begin();
    const Execution* last = nullptr;
    for (const Bytes budget : sampled_budgets()) {
      while (execution != map_.executions.end() && execution->to <= budget) ++execution;
      const bool known = execution != map_.executions.end() && execution->from <= budget;
      if (known && last == &*execution) continue;
      budgets.push_back(budget);
      last = known ? &*execution : nullptr;
    }
  }
  runs_are_sampled_ = !all;
  runs_.resize(budgets.size());
  parallel_for(budgets.size(), [&](std::size_t i) { runs_[i] = checked_run(budgets[i]); });
  const auto interrupted = [](const CheckedRun& r) { return r.result.why_unresolved == kInterrupted; };
  if (std::erase_if(runs_, interrupted) > 0) why_runs_missing_ = kInterrupted;
}

Execution execution_of(const CheckedRun& run) {
  return {run.budgets.from,
          run.budgets.to,
          run.result.outcome,
          run.result.why_unresolved,
          run.result.measures.model_compute,
          run.result.measures.remat_compute,
          run.result.fault.value_or(PolicyFault())};
}

}  // namespace pothole
