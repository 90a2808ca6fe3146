#include "cli/compare_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/budget.h"
#include "cli/settings_text.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "engine/geometric_mean.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::string factor_text(std::optional<double> factor) { return factor ? fmt::format("{:.4f}", *factor) : "-"; }

std::string budget_text(const MapReport& m, std::optional<Bytes> budget, Bytes peak) {
  if (!budget) return m.unresolved.empty() ? "never" : "none found";
  return fmt::format("{} ({:.4f})", *budget, static_cast<double>(*budget) / static_cast<double>(peak));
}

std::string coverage_text(const MapReport& m) {
  if (m.sampled) return fmt::format("{} budgets sampled", *m.sampled);
  return m.unresolved.empty() ? "every budget" : "some budgets unresolved";
}

Table trace_table(const ComparedTrace& c) {
  const bool tells_coverage =
      std::any_of(c.maps.begin(), c.maps.end(), [](const MapReport& m) { return m.sampled || !m.unresolved.empty(); });
  std::vector<Table::Column> columns({{"policy"},
                                      {"first success", true},
                                      {"holes", true},
                                      {"hole bytes", true},
                                      {"stable from", true},
                                      {"mean overhead", true},
                                      {"worst overhead", true},
                                      {"at", true},
                                      {"only first ok", true},
                                      {"only it ok", true}});
  if (tells_coverage) columns.push_back({"covered"});
  Table table(columns);
  for (std::size_t i = 0; i < c.maps.size(); ++i) {
    const MapReport& m = c.maps[i];
    const MapComparison& d = c.comparisons[i];
    const bool first = i == 0;
    std::vector<std::string> cells = {std::string(m.settings.policy.label()),
                                      budget_text(m, m.first_success, c.trace.peak),
                                      fmt::format("{}", m.holes.size()),
                                      fmt::format("{}", d.head_hole_bytes),
                                      budget_text(m, m.stable_from, c.trace.peak),
                                      first ? "" : factor_text(d.mean_overhead),
                                      first ? "" : factor_text(d.worst_overhead),
                                      first || !d.worst_overhead ? "" : fmt::format("{}", d.worst_at.from),
                                      first ? "" : fmt::format("{} B", d.base_only),
                                      first ? "" : fmt::format("{} B", d.head_only)};
    if (tells_coverage) cells.push_back(coverage_text(m));
    table.add_row(std::move(cells));
  }
  return table;
}

// A policy over all traces.
struct Summary {
  std::size_t traces_with_holes = 0, holes = 0, open = 0;  // open: traces with unresolved or sampled budgets
  Bytes hole_bytes = 0;
  std::size_t fewer = 0, more = 0;  // traces with fewer and more hole bytes than the first policy
  GeometricMean mean;               // of the means of the traces, in billionths
  std::optional<double> worst;
};

constexpr double kBillion = 1e9;

std::vector<Summary> summaries(const std::vector<ComparedTrace>& all) {
  std::vector<Summary> sums(all.front().maps.size());
  for (const ComparedTrace& c : all) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const MapComparison& d = c.comparisons[i];
      Summary& s = sums[i];
      s.traces_with_holes += !c.maps[i].holes.empty();
      s.holes += c.maps[i].holes.size();
      s.open += !c.maps[i].unresolved.empty();
      s.hole_bytes += d.head_hole_bytes;
      s.fewer += d.head_hole_bytes < d.base_hole_bytes;
      s.more += d.head_hole_bytes > d.base_hole_bytes;
      if (d.mean_overhead) s.mean.add(static_cast<Cost>(*d.mean_overhead * kBillion), static_cast<Cost>(kBillion), 1);
      if (d.worst_overhead) s.worst = std::max(s.worst.value_or(0), *d.worst_overhead);
    }
  }
  return sums;
}

Table summary_table(const std::vector<ComparedTrace>& all) {
  Table table({{"policy"},
               {"traces with holes", true},
               {"holes", true},
               {"hole bytes", true},
               {"fewer than the first", true},
               {"more", true},
               {"mean overhead", true},
               {"worst", true},
               {"not fully covered", true}});
  const std::vector<Summary> sums = summaries(all);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Summary& s = sums[i];
    const bool first = i == 0;
    table.add_row({std::string(all.front().maps[i].settings.policy.label()),
                   fmt::format("{} of {}", s.traces_with_holes, all.size()), fmt::format("{}", s.holes),
                   fmt::format("{}", s.hole_bytes), first ? "" : fmt::format("on {}", s.fewer),
                   first ? "" : fmt::format("on {}", s.more), first ? "" : factor_text(s.mean.value()),
                   first ? "" : factor_text(s.worst), fmt::format("{}", s.open)});
  }
  return table;
}

std::string lines_of(const Table& table) {
  std::string text;
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  return text;
}

std::string heading(const ComparedTrace& c) {
  const FeasibilityMap& map = c.maps.front().map;
  return fmt::format("{}: peak {} bytes, budgets from {} to {}, against {}{}", c.trace.name, c.trace.peak, map.from,
                     map.to - 1, c.maps.front().settings.policy.label(),
                     unusual_settings_text(c.maps.front().settings));
}

std::string summary_heading(const std::vector<ComparedTrace>& all) {
  return fmt::format("over {} trace{}", all.size(), all.size() == 1 ? "" : "s");
}

Json optional_json(const auto& value) { return value ? Json(*value) : Json(); }

Json comparison_json(const MapReport& m, const MapComparison& d) {
  return {{"policy", m.settings.policy.text},
          {"coverage", m.sampled ? "sampled" : "certified"},
          {"unresolved_bytes", d.unresolved},
          {"first_success", optional_json(m.first_success)},
          {"stable_from", optional_json(m.stable_from)},
          {"holes", m.holes.size()},
          {"hole_bytes", d.head_hole_bytes},
          {"both_complete_bytes", d.both_ok},
          {"only_first_completes_bytes", d.base_only},
          {"only_this_completes_bytes", d.head_only},
          {"mean_overhead", optional_json(d.mean_overhead)},
          {"worst_overhead", optional_json(d.worst_overhead)},
          {"worst_at", d.worst_overhead ? Json({d.worst_at.from, d.worst_at.to}) : Json()}};
}

}  // namespace

ComparedTrace compared(HuntedTrace trace, std::vector<MapReport> maps) {
  ComparedTrace c{std::move(trace), std::move(maps), {}};
  for (const MapReport& m : c.maps) c.comparisons.push_back(compare_maps(c.maps.front().map, m.map));
  return c;
}

std::string compare_text(const ComparedTrace& c, bool colours) {
  return paint(heading(c), Colour::bold, colours) + "\n" + lines_of(trace_table(c));
}

std::string compare_summary_text(const std::vector<ComparedTrace>& all) {
  return summary_heading(all) + "\n" + lines_of(summary_table(all));
}

std::string compare_json(const ComparedTrace& c) {
  Json policies = Json::array();
  for (std::size_t i = 0; i < c.maps.size(); ++i) policies.push_back(comparison_json(c.maps[i], c.comparisons[i]));
  const Json json = {{"format", "pothole-comparison/1"},
                     {"type", "trace"},
                     {"trace", {{"name", c.trace.name}, {"sha256", c.trace.sha256}, {"peak", c.trace.peak}}},
                     {"range", {c.maps.front().map.from, c.maps.front().map.to}},
                     {"policies", policies}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string compare_summary_json(const std::vector<ComparedTrace>& all) {
  Json policies = Json::array();
  const std::vector<Summary> sums = summaries(all);
  for (std::size_t i = 0; i < sums.size(); ++i)
    policies.push_back({{"policy", all.front().maps[i].settings.policy.text},
                        {"traces_with_holes", sums[i].traces_with_holes},
                        {"holes", sums[i].holes},
                        {"hole_bytes", sums[i].hole_bytes},
                        {"traces_with_fewer_hole_bytes", sums[i].fewer},
                        {"traces_with_more_hole_bytes", sums[i].more},
                        {"mean_overhead", optional_json(sums[i].mean.value())},
                        {"worst_overhead", optional_json(sums[i].worst)},
                        {"traces_not_fully_covered", sums[i].open}});
  const Json json = {
      {"format", "pothole-comparison/1"}, {"type", "summary"}, {"traces", all.size()}, {"policies", policies}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string compare_markdown(const std::vector<ComparedTrace>& all) {
  std::string text;
  for (const ComparedTrace& c : all) {
    text += "## " + markdown_text(heading(c)) + "\n\n";
    for (const std::string& line : trace_table(c).markdown()) text += line + "\n";
    text += "\n";
  }
  text += "## " + summary_heading(all) + "\n\n";
  for (const std::string& line : summary_table(all).markdown()) text += line + "\n";
  text.pop_back();
  return text;
}

}  // namespace pothole
