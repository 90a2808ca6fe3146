#include "cli/case_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/case_answer.h"
#include "cli/interrupt.h"
#include "corpus/input_error.h"
#include "engine/draft.h"
#include "engine/plugin/plugin_policy.h"
#include "properties/subject.h"

namespace pothole {
namespace {

constexpr std::string_view kTimeBox = "time limit of the case", kTotalTime = "time limit";

// So many budgets are computed twice, besides those that the record names.
constexpr std::size_t kSampled = 6;

// Who ended what the engine calls interrupted.
std::string_view stop_reason() {
  if (interrupted()) return kInterrupted;
  return stop_requested() ? kTotalTime : kTimeBox;
}

class Replay {
 public:
  Replay(CaseReplay& result, const ReplayPlan& plan, const std::atomic<bool>& stop)
      : result_(result), record_(*result.record), plan_(plan), stop_(stop), program_(canonical(record_.program)) {}

  CaseJudgement judged() {
    const std::string where = result_.file.string();
    const Property& property = checked_property();
    settings_ = settings_of(record_, plan_.policies, where);
    settings_.trace = where;  // where a plugin crashes
    range_ = record_.map.empty() ? range_of_case(program_) : BudgetRange{record_.map_from, record_.map_to};
    check_range();
    map_ = searched(settings_);
    result_.misbehaved = !policy_errors_of(map_).empty();
    if (const std::string why = why_nondeterministic(); !why.empty()) return {CaseVerdict::nondeterministic, why};
    return property.name == kHoleProperty ? judged_holes() : judged_verdict(property);
  }

  OtherPolicy under(const RunSettings& policy) {
    RunSettings settings = settings_;
    settings.policy = policy.policy;
    if (const std::string_view why = why_not_runnable(settings); !why.empty()) return {"not runnable", {}, false};
    const FeasibilityMap map = searched(settings);
    const std::vector<Hole> holes = holes_of(segments_of(map));
    const bool misbehaved = !policy_errors_of(map).empty();
    if (!holes.empty()) {
      std::string text = fmt::format("[{}, {})", holes.front().from, holes.front().to);
      if (holes.size() > 1) text += fmt::format(" +{}", holes.size() - 1);
      return {text, holes.size(), misbehaved};
    }
    if (misbehaved) return {"policy error", {}, true};
    if (!unresolved_of(map).empty()) return {"unresolved", {}, false};
    return {"none", 0, false};
  }

 private:
  // Throws InputError if the record claims nothing that could be judged.
  const Property& checked_property() const {
    const std::string where = result_.file.string();
    const Property* property = find_property(record_.property);
    if (property == nullptr)
      throw InputError(where, fmt::format("there is no property '{}'", record_.property),
                       "`pothole list properties` shows them all");
    const auto& kinds = property->kinds;
    if (!record_.is_closed() && std::find(kinds.begin(), kinds.end(), record_.kind) == kinds.end())
      throw InputError(where, fmt::format("{} cannot be broken as '{}'", property->name, record_.kind),
                       fmt::format("it is closed, or broken as {}", fmt::join(kinds, ", ")));
    const bool needs_budgets = property->name == kHoleProperty && !record_.is_closed();
    if (needs_budgets != record_.budgets.has_value())
      throw InputError(
          where,
          needs_budgets ? "it claims a hole and names no \"budgets\"" : "it names \"budgets\" and claims no hole",
          "a hole has \"budgets\", everything else \"evidence\"");
    return *property;
  }

  void check_range() const {
    const CaseBudgets budgets = record_.budgets.value_or(CaseBudgets{range_.from, range_.from, range_.from});
    if (range_.from < range_.to && budgets.ok >= range_.from && budgets.ok_above < range_.to) return;
    throw InputError(result_.file.string(),
                     fmt::format("its budgets are outside the range [{}, {})", range_.from, range_.to),
                     "without a map the range ends after the peak of the program");
  }

  FeasibilityMap searched(const RunSettings& settings) const {
    SearchControl control;
    control.stop = &stop_;
    control.limits.steps = plan_.steps_max;
    return map_of_case(program_, settings, range_, control);
  }

  CaseJudgement judged_holes() {
    result_.found = hole_answer(program_, settings_, map_, record_.budgets);
    const bool asked = policy_errors_of(map_).empty() || first_policy_error(map_);
    return judged_by(asked ? std::string() : policy_errors_of(map_).front().fault.why);
  }

  CaseJudgement judged_verdict(const Property& property) {
    CheckPlan check;
    check.range = range_;
    check.stop = &stop_;
    check.steps_max = plan_.steps_max;
    check.map = &map_;
    const Verdict verdict = check_property(property, Subject(program_, settings_, check));
    result_.misbehaved = result_.misbehaved || verdict.misbehaved;
    result_.found = verdict_answer(program_, settings_, map_, property, verdict);
    if (verdict.ruling != Ruling::unresolved) return judged_by("");
    return judged_by(verdict.why == kInterrupted ? stop_reason() : std::string_view(verdict.why));
  }

  CaseJudgement judged_by(std::string_view why_unresolved) const {
    return judge(record_, result_.found, why_unresolved, why_no_outcome());
  }

  std::string why_no_outcome() const {
    if (const auto errors = policy_errors_of(map_); !errors.empty())
      return fmt::format("policy error at operator {}: {}", errors.front().fault.op, errors.front().fault.why);
    const auto missing = unresolved_of(map_);
    if (missing.empty()) return "";
    return std::string(missing.front().why == kInterrupted ? stop_reason() : missing.front().why);
  }

  // Those that the record names, and executions spread over the map.
  std::set<Bytes> sampled_budgets() const {
    std::set<Bytes> budgets(record_.evidence.begin(), record_.evidence.end());
    if (record_.budgets) budgets.insert({record_.budgets->ok, record_.budgets->oom, record_.budgets->ok_above});
    const std::size_t count = map_.executions.size();
    for (std::size_t i = 0; i < std::min(kSampled, count); ++i)
      budgets.insert(map_.executions[i * count / std::min(kSampled, count)].from);
    return budgets;
  }

  // Empty, or at which of the sampled budgets two runs differ, or a run and the map.
  std::string why_nondeterministic() const {
    RunOptions options;
    options.stop = &stop_;
    options.steps_max = plan_.steps_max;
    for (const Bytes budget : sampled_budgets()) {
      const RunResult first = run(program_, settings_, budget, options);
      const RunResult second = run(program_, settings_, budget, options);
      if (!is_evidence(first.outcome) || !is_evidence(second.outcome)) continue;
      if (first.outcome != second.outcome)
        return fmt::format("with {} one run is {}, the next {}", budget, name_of(first.outcome),
                           name_of(second.outcome));
      if (first.decision_digest != second.decision_digest || !(first.certificate == second.certificate))
        return fmt::format("with {} two runs decide differently", budget);
      for (const Execution& e : map_.executions) {
        if (budget < e.from || budget >= e.to || !is_evidence(e.outcome)) continue;
        if (e.outcome != first.outcome || e.remat_compute != first.measures.remat_compute)
          return fmt::format("with {} a run is {}, and the map says {}", budget, name_of(first.outcome),
                             name_of(e.outcome));
      }
    }
    return "";
  }

  CaseReplay& result_;
  const Case& record_;
  const ReplayPlan& plan_;
  const std::atomic<bool>& stop_;
  const Program program_;
  RunSettings settings_;
  BudgetRange range_;
  FeasibilityMap map_;
};

}  // namespace

CaseReplay replay_case(const std::filesystem::path& file, const ReplayPlan& plan, const std::atomic<bool>& stop) {
  CaseReplay result;
  result.file = file;
  try {
    result.record = read_case(file);
    Replay replay(result, plan, stop);
    result.judgement = replay.judged();
    for (const RunSettings& policy : plan.policies) result.others.push_back(replay.under(policy));
  } catch (const InputError& error) {
    result.judgement = {CaseVerdict::invalid, error.what()};
  }
  return result;
}

CaseReplay case_not_run(const std::filesystem::path& file) {
  CaseReplay result;
  result.file = file;
  result.was_run = false;
  result.judgement = {CaseVerdict::unresolved, fmt::format("not run: {}", stop_reason())};
  return result;
}

}  // namespace pothole
