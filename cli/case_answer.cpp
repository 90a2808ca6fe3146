#include "cli/case_answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options.h"
#include "corpus/input_error.h"
#include "engine/plugin/plugin_policy.h"
#include "properties/hole_signature.h"

namespace pothole {
namespace {

constexpr std::int64_t kRunsOfOpaque = 256;

CaseAnswer answer_with(const FeasibilityMap& map, const std::vector<Segment>& segments) {
  CaseAnswer answer;
  answer.map_from = map.from;
  answer.map_to = map.to;
  for (const Segment& s : segments) answer.map.push_back({s.from, s.to, std::string(name_of(s.outcome))});
  return answer;
}

bool is(const std::vector<Segment>& segments, Bytes budget, Outcome outcome) {
  return std::any_of(segments.begin(), segments.end(),
                     [&](const Segment& s) { return s.from <= budget && budget < s.to && s.outcome == outcome; });
}

bool still_shows(const std::vector<Segment>& segments, const CaseBudgets& b) {
  return is(segments, b.ok, Outcome::ok) && is(segments, b.oom, Outcome::oom) && is(segments, b.ok_above, Outcome::ok);
}

CaseBudgets first_budgets(const std::vector<Segment>& segments) {
  const Witness first = witnesses_of(segments).front();
  return {first.ok, first.oom, first.ok_above};
}

// That no hole was met says little where the policy did what none may.
// How long was waited for it is of the one who waits.
void tell_of_error(CaseAnswer& answer, const RunSettings& settings, const PolicyErrorInterval& error) {
  answer.title =
      fmt::format("{}: policy error with {} at operator {}", settings.policy.label(), error.from, error.fault.op);
  answer.text = std::string(error.fault.why);
  answer.signature = fmt::format("{}: {}", name_of(Outcome::policy_error),
                                 was_late(error.fault.why) ? "did not return in time" : error.fault.why);
}

ConfiguredPolicy loaded_plugin(const Case& c, std::span<const RunSettings> plugins, const std::string& where) {
  for (const RunSettings& given : plugins)
    if (given.policy.text == c.policy) return given.policy;
  const bool rebuilt = std::any_of(plugins.begin(), plugins.end(), [&](const RunSettings& given) {
    return is_other_file_of_plugin(given.policy.text, c.policy);
  });
  throw InputError(where, fmt::format("the plugin {} is not loaded", with_short_digest(c.policy)),
                   rebuilt ? "the file given is another build of it" : "give its file by --plugin");
}

}  // namespace

BudgetRange range_of_case(const Program& program) { return {1, peak_of(program) + 1}; }

FeasibilityMap map_of_case(const Program& program, const RunSettings& settings, BudgetRange range,
                           const SearchControl& control) {
  if (why_not_certifiable(settings).empty()) return map_by_sweep(program, settings, range, control);
  SearchControl few = control;
  few.limits.runs = kRunsOfOpaque;
  return map_by_bisection(program, settings, range, few);
}

std::optional<PolicyErrorInterval> first_policy_error(const FeasibilityMap& map) {
  for (const PolicyErrorInterval& error : policy_errors_of(map))
    if (!was_not_asked(error.fault.why)) return error;
  return std::nullopt;
}

CaseAnswer hole_answer(const Program& program, const RunSettings& settings, const FeasibilityMap& map,
                       const std::optional<CaseBudgets>& witness) {
  const std::vector<Segment> segments = segments_of(map);
  const std::vector<Hole> holes = holes_of(segments);
  CaseAnswer answer = answer_with(map, segments);
  const std::size_t operators = program.operators().size();
  if (holes.empty()) {
    answer.kind = kClosed;
    answer.title = fmt::format("{}: no hole in {} operators", settings.policy.label(), operators);
    if (const auto error = first_policy_error(map)) tell_of_error(answer, settings, *error);
    return answer;
  }
  const bool shown = witness && still_shows(segments, *witness);
  const CaseBudgets b = shown ? *witness : first_budgets(segments);
  const auto around = std::find_if(holes.begin(), holes.end(), [&](const Hole& h) { return b.oom < h.to; });
  answer.kind = kHoleKind;
  answer.budgets = b;
  answer.signature = text_of(hole_signature(program, settings, b.ok, b.oom));
  answer.text = fmt::format("completes with {}, fails with {}, completes again with {}", b.ok, b.oom, b.ok_above);
  answer.title =
      fmt::format("{}: hole [{}, {}) in {} operators", settings.policy.label(), around->from, around->to, operators);
  return answer;
}

CaseAnswer verdict_answer(const Program& program, const RunSettings& settings, const FeasibilityMap& map,
                          const Property& property, const Verdict& verdict) {
  CaseAnswer answer = answer_with(map, segments_of(map));
  const bool broken = verdict.violation.has_value();
  answer.title = fmt::format("{}: {} {} in {} operators", settings.policy.label(), property.name,
                             broken ? "broken" : "holds", program.operators().size());
  if (!broken) {
    answer.kind = kClosed;
    return answer;
  }
  answer.kind = answer.signature = verdict.violation->signature.kind;
  answer.evidence = verdict.violation->budgets;
  answer.text = verdict.violation->text;
  return answer;
}

Case case_about(const Program& program, const RunSettings& settings, std::string_view property) {
  Case c;
  c.policy = settings.policy.text;
  if (settings.policy.data) c.policy_kind = is_plugin(settings.policy) ? "plugin" : "score";
  c.dealloc = name_of(settings.dealloc);
  c.overhead_limit = fmt::format("{}", settings.overhead_limit.value());
  c.comparison = name_of(settings.comparison);
  c.seed = settings.policy.policy->needs.has(Feature::random) ? settings.seed : 0;
  c.property = property;
  c.program = program;
  return c;
}

RunSettings settings_of(const Case& c, std::span<const RunSettings> plugins, const std::string& where) {
  RunSettings settings;
  if (c.policy_kind == "plugin")
    settings.policy = loaded_plugin(c, plugins, where);
  else
    settings.policy = c.policy_kind == "score" ? checked_score(c.policy, where) : checked_policy(c.policy, where);
  settings.dealloc = checked_dealloc(c.dealloc, where);
  settings.overhead_limit = checked_overhead_limit(c.overhead_limit, where);
  settings.comparison = checked_comparison(c.comparison, where);
  settings.seed = c.seed;
  settings.trace = c.title;
  check_runnable(settings, where);
  return settings;
}

}  // namespace pothole
