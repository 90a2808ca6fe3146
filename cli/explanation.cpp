#include "cli/explanation.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "corpus/input_error.h"

namespace pothole {
namespace {

// The decision that an event is of, with its scores.
std::optional<DecisionRow> decision_at(const Explanation& e, const History& history, std::size_t event,
                                       const RunOptions& options) {
  const Event& evicted = history.events[event];
  DecisionRange range{evicted.place, evicted.place + 1, {}};
  if (const auto storage = preventing_storage(e)) range.tracked.push_back(*storage);
  std::size_t index = 0;  // among the decisions of the place
  for (std::size_t i = history.first_event_at(evicted.place); i < event; ++i)
    index += history.events[i].kind == Event::Kind::evicted;
  range.rows_max = index + 1;
  const DecisionTable table = decisions_of(e.origin.program, e.origin.settings, history.budget, range, options);
  if (index >= table.rows.size()) return std::nullopt;
  return table.rows[index];
}

std::optional<std::size_t> last_eviction_of(const Explanation& e, StorageId storage) {
  const std::size_t failing = e.oom.first_event_at(e.divergence.failing_place);
  std::optional<std::size_t> last;
  for (std::size_t i = 0; i < e.oom.events.size(); ++i) {
    const Event& event = e.oom.events[i];
    if (i >= failing && last) break;
    if (event.kind == Event::Kind::evicted && e.origin.program.tensors()[event.tensor].storage == storage) last = i;
  }
  return last;
}

Bytes peak_of_schedule(const Explanation& e, const RunOptions& options) {
  const Schedule schedule = schedule_of(e.ok.result.decisions);
  RunOptions follow = options;
  follow.schedule = &schedule;
  const RunResult followed = run(e.origin.program, e.origin.settings, Certificate::kUnbounded - 1, follow);
  if (followed.outcome != Outcome::ok)
    throw InputError(e.origin.name, "the evictions of the completing execution cannot be followed",
                     "this is a mistake of the tool: please report it");
  return followed.measures.peak_resident;
}

}  // namespace

std::optional<StorageId> preventing_storage(const Explanation& explanation) {
  const Intervention* best = explanation.interventions.best();
  if (best == nullptr || best->retained.size() != 1) return std::nullopt;
  return best->retained.front();
}

std::optional<Explanation> explain_hole(HoleOrigin origin, const ExplanationOptions& options) {
  Explanation e;
  e.origin = std::move(origin);
  const Program& program = e.origin.program;
  const RunSettings& settings = e.origin.settings;
  const Witness& witness = e.origin.witness;
  Progress progress(fmt::format("explain {} {}", e.origin.name, settings.policy.label()), {"executions", ""},
                    options.quiet);
  RunOptions run_options;
  run_options.steps_max = options.max_steps;
  run_options.stop = &stop_requested();
  e.peak = peak_of(program);
  e.ok = history_of(program, settings, witness.ok, run_options);
  e.oom = history_of(program, settings, witness.oom, run_options);
  progress.add(2, 0);
  if (stop_requested()) return std::nullopt;
  e.divergence = divergence_of(e.ok, e.oom);
  e.rebuild = rebuild_of(program, e.ok, e.oom);
  InterventionLimits limits;
  limits.steps = options.max_steps;
  limits.runs = options.interventions;
  limits.stop = &stop_requested();
  limits.on_run = [&] { progress.add(1, 0); };
  e.interventions = intervene(program, settings, e.oom, e.rebuild, limits);
  if (stop_requested()) return std::nullopt;
  const Parting& parting = e.divergence.by_policy;
  if (parting.ok) e.parting_ok = decision_at(e, e.ok, *parting.ok, run_options);
  if (parting.oom) e.parting_oom = decision_at(e, e.oom, *parting.oom, run_options);
  if (const auto storage = preventing_storage(e))
    if (const auto event = last_eviction_of(e, *storage)) {
      e.cause = decision_at(e, e.oom, *event, run_options);
      e.cause_at = *event;
    }
  e.schedule_peak = peak_of_schedule(e, run_options);
  if (options.decisions) {
    e.table_ok = decisions_of(program, settings, witness.ok, *options.decisions, run_options);
    e.table_oom = decisions_of(program, settings, witness.oom, *options.decisions, run_options);
  }
  if (e.origin.of_case && program.operators().size() <= kVariedOperators)
    e.variation = variation_of(program, settings, witness, {options.max_steps, kVariedSpan, &stop_requested()});
  if (stop_requested()) return std::nullopt;
  return e;
}

}  // namespace pothole
