#include "engine/rounding.h"

#include <algorithm>

#include "engine/execution_log.h"
#include "engine/plugin/plugin_policy.h"

namespace pothole {
namespace {

// A hole of another mode begins elsewhere, but most often it covers much of this one: runs at the ends of ever smaller
// parts meet it soon.
constexpr int kHalvings = 4;

// Does any budget of the range run out of memory?
std::optional<bool> runs_out(const Program& program, const RunSettings& settings, BudgetRange range,
                             const SearchControl& control) {
  for (int parts = 1; parts <= 1 << kHalvings; parts *= 2) {
    for (int i = 0; i < parts; i += parts == 1 ? 1 : 2) {
      const int part = parts == 1 ? 0 : i + 1;
      const Bytes budget = range.from + static_cast<Bytes>(static_cast<__int128>(range.to - range.from) * part / parts);
      const std::optional<Execution> execution = run_within(program, settings, budget, range, control);
      if (execution && execution->outcome == Outcome::oom) return true;
    }
  }
  if (!why_not_certifiable(settings).empty()) return std::nullopt;
  const FeasibilityMap map = map_by_sweep(program, settings, range, control);
  const auto is = [](Outcome outcome) { return [=](const Execution& e) { return e.outcome == outcome; }; };
  if (std::any_of(map.executions.begin(), map.executions.end(), is(Outcome::oom))) return true;
  const bool all_known = unresolved_of(map).empty() && policy_errors_of(map).empty();
  return all_known ? std::optional(false) : std::nullopt;
}

}  // namespace

std::optional<bool> is_rounding_artefact(const Program& program, const RunSettings& settings, BudgetRange hole,
                                         const SearchControl& control) {
  if (is_plugin(settings.policy)) return std::nullopt;  // no mode reaches it
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
