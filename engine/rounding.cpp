#include "engine/rounding.h"

#include "engine/execution_log.h"

namespace pothole {
namespace {

// Does any budget of the range run out of memory? One run per execution, upwards.
std::optional<bool> runs_out(const Program& program, const RunSettings& settings, BudgetRange range,
                             const SearchControl& control) {
  bool all_known = true;
  for (Bytes budget = range.from; budget < range.to;) {
    const std::optional<Execution> execution = run_within(program, settings, budget, range, control);
    if (!execution) return std::nullopt;
    if (execution->outcome == Outcome::oom) return true;
    all_known = all_known && execution->outcome != Outcome::unresolved;
    budget = execution->to;
  }
  return all_known ? std::optional(false) : std::nullopt;
}

}  // namespace

std::optional<bool> is_rounding_artefact(const Program& program, const RunSettings& settings, BudgetRange hole,
                                         const SearchControl& control) {
  bool all_known = true;
  for (const Comparison other : {Comparison::reference, Comparison::exact, Comparison::naive}) {
    if (other == settings.comparison) continue;
    RunSettings changed = settings;
    changed.comparison = other;
    const std::optional<bool> out = runs_out(program, changed, hole, control);
    if (out.value_or(false)) return false;
    all_known = all_known && out;
  }
  return all_known ? std::optional(true) : std::nullopt;
}

}  // namespace pothole
