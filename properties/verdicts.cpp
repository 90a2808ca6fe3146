#include "properties/verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/parallel.h"

namespace pothole {
namespace {

constexpr std::string_view kNoRun = "no run was completed";
constexpr std::string_view kMapSampled = "the policy reads the budget itself: only a sample of budgets was run";

}  // namespace

Verdict not_applicable(std::string_view why) {
  Verdict verdict;
  verdict.ruling = Ruling::not_applicable;
  verdict.why = why;
  return verdict;
}

Verdict unresolved(std::string_view why) {
  Verdict verdict;
  verdict.ruling = Ruling::unresolved;
  verdict.why = why;
  return verdict;
}

Verdict unresolved(const PolicyFault& fault) {
  Verdict verdict =
      unresolved(fmt::format("{} at operator {}: {}", name_of(Outcome::policy_error), fault.op, fault.why));
  verdict.misbehaved = true;
  return verdict;
}

Verdict unresolved(const RunResult& run) { return run.fault ? unresolved(*run.fault) : unresolved(run.why_unresolved); }

Verdict violated(std::string_view kind, std::optional<OperatorId> place, std::vector<Bytes> budgets,
                 std::vector<TensorId> storages, std::string text) {
  Verdict verdict;
  verdict.ruling = Ruling::violated;
  verdict.violation = Violation{{"", "", kind, place}, std::move(budgets), std::move(storages), std::move(text)};
  return verdict;
}

Verdict verdict_of_runs(const Subject& subject, const std::function<Verdict(const CheckedRun&)>& check) {
  const std::vector<CheckedRun>& runs = subject.runs();
  std::vector<Verdict> verdicts(runs.size());
  const auto one = [&](std::size_t i) {
    const RunResult& result = runs[i].result;
    verdicts[i] = is_evidence(result.outcome) ? check(runs[i]) : unresolved(result);
  };
  if (subject.is_small()) {
    for (std::size_t i = 0; i < runs.size(); ++i) one(i);
  } else {
    parallel_for(runs.size(), one);
  }
  Verdict folded = not_applicable({});
  if (runs.empty()) folded = unresolved(kNoRun);
  if (!subject.why_runs_missing().empty()) folded = unresolved(subject.why_runs_missing());
  std::size_t checked = 0;
  for (Verdict& v : verdicts) {
    checked += v.ruling != Ruling::unresolved;
    const bool is_first_violation = v.ruling == Ruling::violated && folded.ruling != Ruling::violated;
    const bool is_first_open =
        v.ruling == Ruling::unresolved && folded.ruling != Ruling::violated && folded.ruling != Ruling::unresolved;
    const bool applies = v.ruling == Ruling::holds && folded.ruling == Ruling::not_applicable;
    const bool says_why = v.ruling == Ruling::not_applicable && folded.ruling == v.ruling && folded.why.empty();
    if (is_first_violation || is_first_open || applies || says_why) folded = std::move(v);
  }
  const bool some_missing = checked < runs.size() || !subject.why_runs_missing().empty();
  folded.coverage = {checked, subject.map().executions.size(), subject.runs_are_sampled() || some_missing};
  return folded;
}

Verdict verdict_of_map(const Subject& subject, std::optional<Verdict> violation) {
  const FeasibilityMap& map = subject.map();
  Verdict verdict;
  const std::vector<UnresolvedInterval> open = unresolved_of(map);
  if (violation) {
    verdict = std::move(*violation);
  } else if (subject.map_is_sampled()) {
    verdict = unresolved(kMapSampled);
  } else if (!open.empty()) {
    verdict = unresolved(open.front().why);
  } else if (const std::vector<PolicyErrorInterval> errors = policy_errors_of(map); !errors.empty()) {
    verdict = unresolved(errors.front().fault);
  }
  const auto resolved = std::count_if(map.executions.begin(), map.executions.end(),
                                      [](const Execution& e) { return is_evidence(e.outcome); });
  const auto checked = static_cast<std::size_t>(resolved);
  const bool some_missing = checked < map.executions.size() || !open.empty();
  verdict.coverage = {checked, map.executions.size(), subject.map_is_sampled() || some_missing};
  return verdict;
}

std::string place_text(const Program& program, OperatorId place) {
  if (place >= program.operators().size()) return "bringing back outputs";
  const std::string_view name = program.operator_name(place);
  return name.empty() ? fmt::format("operator {}", place) : fmt::format("operator {} ({})", place, name);
}

}  // namespace pothole
