// Intervals are half-open in JSON. Text names the first budget that fails and the first above it that
// completes again, in whole bytes: these are what one pastes into --budget.
#include "cli/map_report.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cli/budget.h"
#include "cli/json_number.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

double ratio_of(Bytes budget, Bytes peak) { return static_cast<double>(budget) / static_cast<double>(peak); }

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json segments_json(const std::vector<Segment>& segments) {
  Json list = Json::array();
  for (const Segment& s : segments) {
    list.push_back({{"from", s.from},
                    {"to", s.to},
                    {"outcome", name_of(s.outcome)},
                    {"overhead_min", or_null(s.overhead_min)},
                    {"overhead_max", or_null(s.overhead_max)}});
  }
  return list;
}

Json holes_json(const std::vector<Hole>& holes, Bytes peak) {
  Json list = Json::array();
  for (const Hole& h : holes) {
    list.push_back({{"from", h.from},
                    {"to", h.to},
                    {"oom_bytes", h.oom_bytes},
                    {"thrashed_bytes", h.thrashed_bytes},
                    {"unresolved_bytes", h.unresolved_bytes},
                    {"ratio_from", ratio_of(h.from, peak)},
                    {"ratio_to", ratio_of(h.to, peak)},
                    {"safe_budget", h.safe_budget}});
  }
  return list;
}

Json inversions_json(const std::vector<CostInversion>& inversions) {
  Json list = Json::array();
  for (const CostInversion& i : inversions) {
    list.push_back({{"from", i.from},
                    {"to", i.to},
                    {"overhead", i.overhead},
                    {"smaller_budget", i.smaller_budget},
                    {"smaller_overhead", i.smaller_overhead}});
  }
  return list;
}

Json unresolved_json(const std::vector<UnresolvedInterval>& unresolved) {
  Json list = Json::array();
  for (const UnresolvedInterval& u : unresolved) {
    list.push_back({{"from", u.from}, {"to", u.to}, {"why", u.why}});
  }
  return list;
}

Json policy_json(const MapReport& report, Bytes peak) {
  Json json;
  json["policy"] = report.settings.policy.text;
  json["dealloc"] = name_of(report.settings.dealloc);
  json["overhead_limit"] = plain_number(report.settings.overhead_limit.value());
  json["comparison"] = "reference";
  json["range"] = {report.map.from, report.map.to};
  json["coverage"] = "certified";
  json["certified_bytes"] = report.certified_bytes;
  json["executions"] = report.map.executions.size();
  json["states_merged"] = report.map.states_merged;
  json["first_success"] = or_null(report.first_success);
  json["stable_from"] = or_null(report.stable_from);
  json["segments"] = segments_json(report.segments);
  json["holes"] = holes_json(report.holes, peak);
  json["cost_inversions"] = inversions_json(report.cost_inversions);
  json["unresolved"] = unresolved_json(report.unresolved);
  return json;
}

// Never rounded up to 100.
std::string percent_text(Bytes part, Bytes whole) {
  if (part == whole) return "100 %";
  return fmt::format("{:.2f} %", std::floor(static_cast<double>(part) / static_cast<double>(whole) * 1e4) / 100);
}

std::string budget_text(std::optional<Bytes> budget, Bytes peak) {
  if (!budget) return "never";
  return peak > 0 ? fmt::format("{} ({:.4f})", *budget, ratio_of(*budget, peak)) : fmt::format("{}", *budget);
}

void append(std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) text += line + "\n";
}

std::string summary_text(const std::vector<MapReport>& maps, Bytes peak) {
  Table table({{"policy"},
               {"holes", true},
               {"first success", true},
               {"stable from", true},
               {"certified", true},
               {"executions", true},
               {"cost inversions", true}});
  for (const MapReport& m : maps) {
    table.add_row({m.settings.policy.text, fmt::format("{}", m.holes.size()), budget_text(m.first_success, peak),
                   budget_text(m.stable_from, peak), percent_text(m.certified_bytes, m.map.to - m.map.from),
                   fmt::format("{}", m.map.executions.size()), fmt::format("{}", m.cost_inversions.size())});
  }
  std::string text;
  append(text, table.lines("  "));
  return text;
}

// What a hole holds besides oom.
std::string contents_text(const Hole& h) {
  std::string text;
  const auto add = [&](Bytes bytes, const char* outcome) {
    if (bytes > 0) text += fmt::format("{}{} of it {}", text.empty() ? "" : ", ", short_bytes(bytes), outcome);
  };
  add(h.thrashed_bytes, "thrashed");
  add(h.unresolved_bytes, "unresolved");
  return text;
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
    for (const Hole& h : m.holes) {
      table.add_row({m.settings.policy.text, fmt::format("{}", h.from), fmt::format("{}", h.to),
                     short_bytes(h.to - h.from),
                     fmt::format("{:.6f} to {:.6f}", ratio_of(h.from, peak), ratio_of(h.to, peak)),
                     fmt::format("{}", h.safe_budget), contents_text(h)});
    }
  }
  if (table.empty()) return "";
  std::vector<std::string> lines = table.lines("  ");
  for (std::size_t i = 1; i < lines.size(); ++i) lines[i] = paint(lines[i], Colour::red, colours);
  std::string text = "\n";
  append(text, lines);
  return text;
}

Bytes unresolved_bytes(const MapReport& report) {
  Bytes sum = 0;
  for (const UnresolvedInterval& u : report.unresolved) sum += u.to - u.from;
  return sum;
}

std::string notes_text(const HuntedTrace& trace, const std::vector<MapReport>& maps) {
  std::string text;
  const bool below_constants = !maps.empty() && maps.front().map.from < trace.constant_bytes;
  if (below_constants) {
    text += fmt::format("  infeasible for every policy below {} bytes: the constants alone need them\n",
                        trace.constant_bytes);
  }
  for (const MapReport& m : maps) {
    const Bytes bytes = unresolved_bytes(m);
    if (bytes == 0) continue;
    text += fmt::format("  {}: {} of budgets unresolved, neither success nor failure\n", m.settings.policy.text,
                        short_bytes(bytes));
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

MapReport::MapReport(RunSettings settings_used, FeasibilityMap found)
    : settings(std::move(settings_used)),
      map(std::move(found)),
      segments(segments_of(map)),
      holes(holes_of(segments)),
      cost_inversions(cost_inversions_of(map)),
      unresolved(unresolved_of(map)),
      first_success(first_success_of(segments)),
      stable_from(stable_from_of(segments)),
      certified_bytes(certified_bytes_of(map)) {}

std::string map_json(const HuntedTrace& trace, const std::vector<MapReport>& maps) {
  Json json;
  json["format"] = "pothole-map/1";
  json["trace"] = {{"name", trace.name},
                   {"sha256", trace.sha256},
                   {"peak", trace.peak},
                   {"operators", trace.operators},
                   {"storages", trace.storages}};
  json["maps"] = Json::array();
  for (const MapReport& m : maps) json["maps"].push_back(policy_json(m, trace.peak));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string map_text(const HuntedTrace& trace, const std::vector<MapReport>& maps, bool colours) {
  std::string text = paint(trace.name, Colour::bold, colours);
  text += fmt::format(": {} operators, {} storages, peak {} bytes\n", trace.operators, trace.storages, trace.peak);
  if (!maps.empty()) {
    const FeasibilityMap& map = maps.front().map;
    text += fmt::format("every budget from {} to {} bytes\n\n", map.from, map.to - 1);
  }
  return text + summary_text(maps, trace.peak) + holes_text(maps, trace.peak, colours) + notes_text(trace, maps);
}

}  // namespace pothole
