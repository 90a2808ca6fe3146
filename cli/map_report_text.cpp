// A map as text. It names the first budget that fails and the first above it that completes again, in
// whole bytes: these are what one pastes into --budget. Where budgets beside an edge are unresolved,
// "<=" and ">=" say so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/budget.h"
#include "cli/map_report.h"
#include "cli/settings_text.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace pothole {
namespace {

constexpr std::size_t kIntervalsListed = 20;  // of unresolved budgets; JSON has all

double ratio_of(Bytes budget, Bytes peak) { return static_cast<double>(budget) / static_cast<double>(peak); }

// Never rounded up to 100.
std::string percent_text(Bytes part, Bytes whole) {
  if (part == whole) return "100 %";
  return fmt::format("{:.2f} %", std::floor(static_cast<double>(part) / static_cast<double>(whole) * 1e4) / 100);
}

void append(std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) text += line + "\n";
}

bool unresolved_at(const MapReport& report, Bytes budget) {
  return std::any_of(report.unresolved.begin(), report.unresolved.end(),
                     [&](const UnresolvedInterval& u) { return u.from <= budget && budget < u.to; });
}

// A budget at which something begins; at the latest if the budget below it is unresolved.
std::string budget_text(const MapReport& report, Bytes budget) {
  return fmt::format("{}{}", unresolved_at(report, budget - 1) ? "<= " : "", budget);
}

std::string budget_text(const MapReport& report, std::optional<Bytes> budget, Bytes peak) {
  if (!budget) return report.unresolved.empty() ? "never" : "none found";
  const std::string text = budget_text(report, *budget);
  return peak > 0 ? fmt::format("{} ({:.4f})", text, ratio_of(*budget, peak)) : text;
}

std::string summary_text(const std::vector<MapReport>& maps, Bytes peak) {
  const bool sampled = !maps.empty() && maps.front().sampled;
  Table table({{"policy"},
               {"holes", true},
               {"first success", true},
               {"stable from", true},
               {sampled ? "sampled" : "certified", true},
               {"executions", true},
               {"cost inversions", true}});
  for (const MapReport& m : maps) {
    table.add_row({std::string(m.settings.policy.label()), fmt::format("{}", m.holes.size()),
                   budget_text(m, m.first_success, peak), budget_text(m, m.stable_from, peak),
                   percent_text(m.certified_bytes, m.map.to - m.map.from), fmt::format("{}", m.map.executions.size()),
                   fmt::format("{}", m.cost_inversions.size())});
  }
  std::string text;
  append(text, table.lines("  "));
  return text;
}

// What a hole holds besides oom, and whether it is one of rounding alone.
std::string notes_of_hole(const MapReport& report, std::size_t hole) {
  const Hole& h = report.holes[hole];
  std::string text;
  const auto add = [&](Bytes bytes, const char* outcome) {
    if (bytes > 0) text += fmt::format("{}{} of it {}", text.empty() ? "" : ", ", short_bytes(bytes), outcome);
  };
  add(h.thrashed_bytes, "thrashed");
  add(h.unresolved_bytes, "unresolved");
  add(h.policy_error_bytes, "policy error");
  if (report.artefacts[hole].value_or(false))
    text += fmt::format("{}rounding artefact: only under comparison {}", text.empty() ? "" : ", ",
                        name_of(report.settings.comparison));
  return text;
}

// The first budget of a hole that is known to fail.
Bytes first_failure(const MapReport& report, const Hole& h) {
  for (const Segment& s : report.segments)
    if (s.from >= h.from && s.outcome != Outcome::unresolved) return s.from;
  return h.from;
}

std::string holes_text(const std::vector<MapReport>& maps, Bytes peak, bool colours) {
  Table table({{"hole of"},
               {"fails from", true},
               {"completes from", true},
               {"width", true},
               {"ratio", true},
               {"safe budget", true},
               {""}});
  for (const MapReport& m : maps) {
    for (std::size_t i = 0; i < m.holes.size(); ++i) {
      const Hole& h = m.holes[i];
      const Bytes from = first_failure(m, h);
      const Bytes known_to_fail = h.to - h.from - h.unresolved_bytes;
      table.add_row({std::string(m.settings.policy.label()), budget_text(m, from), budget_text(m, h.to),
                     (h.unresolved_bytes > 0 ? ">= " : "") + short_bytes(known_to_fail),
                     fmt::format("{:.6f} to {:.6f}", ratio_of(from, peak), ratio_of(h.to, peak)),
                     fmt::format("{}", h.safe_budget), notes_of_hole(m, i)});
    }
  }
  if (table.empty()) return "";
  std::vector<std::string> lines = table.lines("  ");
  for (std::size_t i = 1; i < lines.size(); ++i) lines[i] = paint(lines[i], Colour::red, colours);
  std::string text = "\n";
  append(text, lines);
  return text;
}

// Of a grid nearly everything is unresolved, which its heading says.
std::string unresolved_text(const MapReport& report) {
  std::vector<UnresolvedInterval> intervals = report.unresolved;
  if (report.sampled) std::erase_if(intervals, [](const UnresolvedInterval& u) { return u.why == kNotSampled; });
  if (intervals.empty()) return "";
  Bytes bytes = 0;
  for (const UnresolvedInterval& u : intervals) bytes += u.to - u.from;
  std::string text = fmt::format("  {}: {} of budgets unresolved, neither success nor failure\n",
                                 report.settings.policy.label(), short_bytes(bytes));
  const std::size_t listed = std::min(intervals.size(), kIntervalsListed);
  for (std::size_t i = 0; i < listed; ++i) {
    const UnresolvedInterval& u = intervals[i];
    text += fmt::format("    {} to {}: {}\n", u.from, u.to - 1, u.why);
  }
  if (listed < intervals.size()) text += fmt::format("    and {} intervals more\n", intervals.size() - listed);
  return text;
}

std::string policy_errors_text(const MapReport& report) {
  std::string text;
  const auto& errors = report.policy_errors;
  const std::size_t listed = std::min(errors.size(), kIntervalsListed);
  if (listed > 0) text += fmt::format("  {}: the policy misbehaves\n", report.settings.policy.label());
  for (std::size_t i = 0; i < listed; ++i) {
    const PolicyErrorInterval& e = errors[i];
    text += fmt::format("    {} to {}: at operator {}: {}\n", e.from, e.to - 1, e.fault.op, e.fault.why);
  }
  if (listed < errors.size()) text += fmt::format("    and {} intervals more\n", errors.size() - listed);
  return text;
}

std::string notes_text(const HuntedTrace& trace, const std::vector<MapReport>& maps) {
  std::string text;
  const bool below_constants = !maps.empty() && maps.front().map.from < trace.constant_bytes;
  if (below_constants) {
    text += fmt::format("  infeasible for every policy below {} bytes: the constants alone need them\n",
                        trace.constant_bytes);
  }
  const auto thrashes = [](const MapReport& m) {
    return std::any_of(m.segments.begin(), m.segments.end(),
                       [](const Segment& s) { return s.outcome == Outcome::thrashed; });
  };
  if (std::any_of(maps.begin(), maps.end(), thrashes)) {
    text += fmt::format(
        "  thrashed: given up above {} times the model's compute (--overhead-limit); it fails to end in "
        "time, not for want of memory\n",
        maps.front().settings.overhead_limit.value());
  }
  for (const MapReport& m : maps) text += unresolved_text(m) + policy_errors_text(m);
  return text.empty() ? text : "\n" + text;
}

std::string heading_text(const MapReport& report) {
  const FeasibilityMap& map = report.map;
  const std::string settings = unusual_settings_text(report.settings);
  if (!report.sampled) return fmt::format("every budget from {} to {} bytes{}\n\n", map.from, map.to - 1, settings);
  return fmt::format(
      "sampled: {} budgets from {} to {} bytes and those that share their executions{}; "
      "of the others nothing is known\n\n",
      *report.sampled, map.from, map.to - 1, settings);
}

}  // namespace

std::string map_text(const HuntedTrace& trace, const std::vector<MapReport>& maps, bool colours) {
  std::string text = paint(trace.name, Colour::bold, colours);
  text += fmt::format(": {} operators, {} storages, peak {} bytes\n", trace.operators, trace.storages, trace.peak);
  // A seed shows where any of the policies draws.
  const auto draws = [](const MapReport& m) { return m.settings.policy.policy->needs.has(Feature::random); };
  if (!maps.empty()) {
    const auto drawing = std::find_if(maps.begin(), maps.end(), draws);
    text += heading_text(drawing == maps.end() ? maps.front() : *drawing);
  }
  return text + summary_text(maps, trace.peak) + holes_text(maps, trace.peak, colours) + notes_text(trace, maps);
}

}  // namespace pothole
