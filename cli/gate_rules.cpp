#include "cli/gate_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/budget.h"

namespace pothole {
namespace {

struct Finding {
  bool broken = false;
  std::string found, allowed;
};

std::string bytes_text(double bytes) {
  return std::isinf(bytes) ? "any" : fmt::format("{} B", static_cast<Bytes>(bytes));
}

std::string holes_text(const std::vector<HoleChange>& changes, const GatedTrace& t) {
  constexpr std::size_t kShown = 3;
  Bytes more = 0, failing = 0;
  std::string list;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    more += changes[i].more;
    failing += changes[i].failing_there;
    if (i < kShown) list += fmt::format("{}[{}, {})", i == 0 ? "" : ", ", changes[i].hole.from, changes[i].hole.to);
  }
  if (changes.size() > kShown) list += fmt::format(" and {} more", changes.size() - kShown);
  std::string text = fmt::format("{} hole{} of {} B: {}", changes.size(), changes.size() == 1 ? "" : "s", more, list);
  if (failing > 0)
    text += fmt::format("; {} does not complete either at {} of these bytes", t.base.settings.policy.label(),
                        failing == more ? "any" : fmt::format("{}", failing));
  return text;
}

Bytes more_of(const std::vector<HoleChange>& changes) {
  Bytes more = 0;
  for (const HoleChange& change : changes) more += change.more;
  return more;
}

Finding new_holes(const GatedTrace& t, const GateTolerances& tolerances) {
  const Bytes more = more_of(t.comparison.opened);
  return {static_cast<double>(more) > tolerances.new_hole_bytes,
          t.comparison.opened.empty() ? "none" : holes_text(t.comparison.opened, t),
          bytes_text(tolerances.new_hole_bytes)};
}

Finding widened_holes(const GatedTrace& t, const GateTolerances& tolerances) {
  const Bytes more = more_of(t.comparison.widened);
  return {static_cast<double>(more) > tolerances.widened_bytes,
          t.comparison.widened.empty() ? "none" : holes_text(t.comparison.widened, t),
          bytes_text(tolerances.widened_bytes)};
}

Finding raised(std::optional<Bytes> base, std::optional<Bytes> head, double share) {
  const std::string allowed = std::isinf(share) ? "any" : fmt::format("+{:g} %", share * 100);
  if (!base || std::isinf(share)) return {false, head ? fmt::format("{}", *head) : "never", allowed};
  if (!head) return {true, fmt::format("never, was {}", *base), allowed};
  const double change = static_cast<double>(*head - *base) / static_cast<double>(*base);
  return {*head > *base && change > share,
          *head == *base ? fmt::format("{}, as before", *head)
                         : fmt::format("{}, was {} ({:+.4g} %)", *head, *base, change * 100),
          allowed};
}

Finding first_success(const GatedTrace& t, const GateTolerances& tolerances) {
  return raised(t.comparison.base_first, t.comparison.head_first, tolerances.first_success);
}

Finding stable_from(const GatedTrace& t, const GateTolerances& tolerances) {
  return raised(t.comparison.base_stable, t.comparison.head_stable, tolerances.stable_from);
}

Finding overhead(std::optional<double> factor, double most) {
  return {factor && *factor > most, factor ? fmt::format("{:.6g} of the base's", *factor) : "no budget to compare at",
          std::isinf(most) ? "any" : fmt::format("{:g}", most)};
}

Finding mean_overhead(const GatedTrace& t, const GateTolerances& tolerances) {
  Finding f = overhead(t.comparison.mean_overhead, tolerances.mean_overhead);
  if (t.comparison.mean_overhead) f.found += fmt::format(", over {} B where both complete", t.comparison.both_ok);
  return f;
}

Finding worst_overhead(const GatedTrace& t, const GateTolerances& tolerances) {
  Finding f = overhead(t.comparison.worst_overhead, tolerances.worst_overhead);
  if (t.comparison.worst_overhead) f.found += fmt::format(", at {} B", t.comparison.worst_at.from);
  return f;
}

Finding broken_properties(const GatedTrace& t, const GateTolerances& tolerances) {
  std::string names;
  for (std::size_t i = 0; i < t.newly_broken.size(); ++i)
    names += fmt::format("{}{}: {}", i == 0 ? "" : "; ", t.newly_broken[i]->name, t.why_broken[i]);
  return {static_cast<double>(t.newly_broken.size()) > tolerances.broken_properties, names.empty() ? "none" : names,
          std::isinf(tolerances.broken_properties) ? "any" : fmt::format("{:g}", tolerances.broken_properties)};
}

struct TraceRule {
  GateRule rule;
  Finding (*judge)(const GatedTrace&, const GateTolerances&);
};

constexpr std::array kTraceRules = {
    TraceRule{{"new-holes", "no hole where the base has none"}, new_holes},
    TraceRule{{"widened-holes", "no hole of the base grows"}, widened_holes},
    TraceRule{{"stable-from", "the budget from which on every one completes does not rise"}, stable_from},
    TraceRule{{"first-success", "the least budget that completes does not rise"}, first_success},
    TraceRule{{"mean-overhead", "the geometric mean of overheads over all bytes does not grow"}, mean_overhead},
    TraceRule{{"worst-overhead", "at no budget does the overhead grow much"}, worst_overhead},
    TraceRule{{"properties", "no property is newly broken"}, broken_properties},
};

constexpr GateRule kCaseRule = {"cases", "no case of the corpus gets a hole"};

// Of all cases together.
std::optional<RuleVerdict> judge_cases(const std::vector<GatedTrace>& all, const GateTolerances& tolerances) {
  std::size_t cases = 0, closed = 0;
  bool certain = true;
  std::vector<std::string> opened;
  for (const GatedTrace& t : all) {
    if (!t.is_case) continue;
    ++cases;
    certain = certain && t.is_certain();
    if (t.base.holes.empty() && !t.head.holes.empty()) opened.push_back(t.trace.name);
    closed += !t.base.holes.empty() && t.head.holes.empty();
  }
  if (cases == 0) return std::nullopt;
  RuleVerdict verdict;
  verdict.rule = kCaseRule.name;
  verdict.certain = certain;
  verdict.found = fmt::format("{} of {} get a hole, {} lose theirs", opened.size(), cases, closed);
  for (std::size_t i = 0; i < opened.size(); ++i) verdict.found += (i == 0 ? ": " : ", ") + opened[i];
  verdict.allowed = std::isinf(tolerances.opened_cases) ? "any" : fmt::format("{:g}", tolerances.opened_cases);
  if (static_cast<double>(opened.size()) > tolerances.opened_cases)
    verdict.state = RuleState::broken;
  else if (!certain)
    verdict.state = RuleState::unresolved;
  return verdict;
}

}  // namespace

std::span<const GateRule> gate_rules() {
  static const std::vector<GateRule> rules = [] {
    std::vector<GateRule> all;
    for (const TraceRule& r : kTraceRules) all.push_back(r.rule);
    all.push_back(kCaseRule);
    return all;
  }();
  return rules;
}

std::vector<RuleVerdict> judge(const std::vector<GatedTrace>& all, const GateTolerances& tolerances) {
  std::vector<RuleVerdict> verdicts;
  for (const GatedTrace& t : all) {
    if (t.is_case) continue;
    for (const TraceRule& rule : kTraceRules) {
      Finding f = rule.judge(t, tolerances);
      // A grid leaves budgets out by intent; what it finds is labelled.
      const bool open = t.comparison.unresolved > 0 && !t.base.sampled && !t.head.sampled;
      const RuleState state = f.broken ? RuleState::broken : open ? RuleState::unresolved : RuleState::held;
      verdicts.push_back(
          {rule.rule.name, state, t.trace.name, std::move(f.found), std::move(f.allowed), t.is_certain()});
    }
  }
  if (std::optional<RuleVerdict> cases = judge_cases(all, tolerances)) verdicts.push_back(*std::move(cases));
  return verdicts;
}

}  // namespace pothole
