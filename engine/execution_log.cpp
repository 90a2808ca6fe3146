#include "engine/execution_log.h"

#include <algorithm>

namespace pothole {

void ExecutionLog::add(std::span<const Execution> executions, std::span<const PartReport> parts) {
  {
    const std::lock_guard lock(mutex_);
    found_.insert(found_.end(), executions.begin(), executions.end());
  }
  if (control_.on_report) control_.on_report({executions, parts});
}

std::vector<Execution> ExecutionLog::take() {
  sort_by_budget(found_);
  return std::move(found_);
}

std::optional<Execution> run_within(const Program& program, const RunSettings& settings, Bytes budget,
                                    BudgetRange range, const SearchControl& control) {
  RunOptions options;
  options.stop = control.stop;
  options.steps_max = control.limits.steps;
  const RunResult result = run(program, settings, budget, options);
  if (result.outcome == Outcome::unresolved && result.why_unresolved == kInterrupted) return std::nullopt;
  return Execution{std::max(range.from, result.certificate.lo),
                   std::min(range.to, result.certificate.hi),
                   result.outcome,
                   result.why_unresolved,
                   result.measures.model_compute,
                   result.measures.remat_compute,
                   result.fault.value_or(PolicyFault())};
}

}  // namespace pothole
