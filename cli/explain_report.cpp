#include "cli/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/budget.h"
#include "cli/program_text.h"
#include "cli/settings_text.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kInterventionsShown = 10;  // JSON has all

std::string title(const Explanation& e) {
  return fmt::format("{}: {} completes with {} bytes ({:.4f}) and runs out of memory with {} ({:.4f}){}", e.origin.name,
                     e.origin.settings.policy.label(), e.ok.budget,
                     static_cast<double>(e.ok.budget) / static_cast<double>(e.peak), e.oom.budget,
                     static_cast<double>(e.oom.budget) / static_cast<double>(e.peak),
                     unusual_settings_text(e.origin.settings));
}

// Of text that stands alone on a line, broken at blanks.
std::string wrapped(const std::string& text, const std::string& first, const std::string& indent, std::size_t width) {
  std::string result, line = first;
  std::size_t begin = 0;
  bool fresh = true;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!fresh && line.size() + 1 + word.size() > width) {
      result += line + "\n";
      line = indent;
      fresh = true;
    }
    line += (fresh ? "" : " ") + word;
    fresh = false;
    begin = end + 1;
  }
  return result + line + "\n";
}

std::string names_of(const Program& program, const std::vector<StorageId>& storages) {
  std::string text;
  for (const StorageId s : storages) text += (text.empty() ? "" : ", ") + storage_text(program, s);
  return text;
}

Table intervention_table(const Explanation& e) {
  Table table({{"retained"}, {"size", true}, {"outcome"}, {"overhead", true}, {"peak pinned", true}, {"depth", true}});
  const auto add = [&](const Intervention& i, const std::string& name) {
    Bytes size = 0;
    for (const StorageId s : i.retained) size += e.origin.program.storages()[s].size;
    const auto overhead = overhead_of(i.outcome, i.measures.model_compute, i.measures.remat_compute);
    table.add_row({name, i.retained.empty() ? "" : fmt::format("{}", size), std::string(name_of(i.outcome)),
                   overhead ? fmt::format("{:.3f}x", *overhead) : "", fmt::format("{}", i.measures.peak_pinned),
                   fmt::format("{}", i.measures.max_depth)});
  };
  add(e.interventions.control, "nothing (control)");
  std::size_t shown = 0;
  const auto add_some = [&](const std::vector<Intervention>& some) {
    for (const Intervention& i : some)
      if (shown++ < kInterventionsShown) add(i, names_of(e.origin.program, i.retained));
  };
  add_some(e.interventions.likely.empty() || !e.interventions.likely.front().completes() ? e.interventions.smallest
                                                                                         : e.interventions.likely);
  return table;
}

std::string range_text(const VariationRange& range) {
  if (range.least == range.most && !range.least_is_open && !range.most_is_open) return fmt::format("{}", range.least);
  return fmt::format("{}{} to {}{}", range.least_is_open ? "at most " : "", range.least,
                     range.most_is_open ? "at least " : "", range.most);
}

Table variation_table(const Explanation& e) {
  const Program& p = e.origin.program;
  Table table({{"what may vary alone"}, {"is", true}, {"with these budgets"}, {"with a hole at some budget"}});
  table.add_row({"budget that completes", fmt::format("{}", e.ok.budget), range_text(e.variation->ok), ""});
  table.add_row({"budget that fails", fmt::format("{}", e.oom.budget), range_text(e.variation->oom), ""});
  table.add_row({"larger budget that completes", fmt::format("{}", e.origin.witness.ok_above),
                 range_text(e.variation->ok_above), ""});
  for (const VariedValue& v : e.variation->values)
    table.add_row({v.quantity == Quantity::size
                       ? fmt::format("size of {}", p.tensor_name(v.of))
                       : fmt::format("cost of {}", p.tensor_name(p.operators()[v.of].first_output)),
                   fmt::format("{}", v.value), range_text(v.same_budgets), range_text(v.any_hole)});
  return table;
}

Table decision_table_of(const Explanation& e, const DecisionTable& decisions) {
  const Program& p = e.origin.program;
  std::vector<Table::Column> columns = {
      {"place"},      {"depth", true}, {"in use", true},     {"request", true}, {"short", true}, {"victim"},
      {"size", true}, {"score", true}, {"neighbours", true}, {"stale", true},   {"pool", true}};
  const bool tracks = !decisions.rows.empty() && !decisions.rows.front().tracked.empty();
  if (tracks) columns.push_back({"tracked"});
  columns.push_back({"lowest scores"});
  Table table(columns);
  for (const DecisionRow& row : decisions.rows) {
    std::string tracked, lowest;
    for (const TrackedRow& t : row.tracked)
      tracked += fmt::format("{}{} {}", tracked.empty() ? "" : ", ", p.storages()[t.storage].root,
                             t.in_pool ? fmt::format("rank {} {:.3g}", t.rank, t.score) : "not in the pool");
    for (const CandidateRow& c : row.lowest)
      lowest += fmt::format("{}{}={:.3g}", lowest.empty() ? "" : " ", p.storages()[c.storage].root, c.score);
    std::vector<std::string> cells = {
        place_name(p, row.scene.place),
        fmt::format("{}", row.scene.depth),
        fmt::format("{}", row.scene.resident),
        fmt::format("{}", row.scene.request),
        fmt::format("{}", row.scene.shortfall()),
        fmt::format("{}", p.storages()[row.victim].root),
        fmt::format("{}", row.size),
        row.score ? fmt::format("{:.3g}", *row.score) : "-",
        row.neighbourhood ? fmt::format("{:.0f}", static_cast<double>(*row.neighbourhood)) : "-",
        fmt::format("{}", row.staleness),
        fmt::format("{}", row.pool)};
    if (tracks) cells.push_back(tracked);
    cells.push_back(lowest);
    table.add_row(std::move(cells));
  }
  return table;
}

std::string listed(const std::string& heading, const Table& table) {
  std::string text = "\n" + heading + "\n";
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  return text;
}

// What follows the account in text and Markdown alike.
std::string tables_text(const Explanation& e) {
  std::string text =
      listed(fmt::format("under {} bytes, with storages retained:", e.oom.budget), intervention_table(e));
  for (const auto& [table, budget] : {std::pair(&e.table_ok, e.ok.budget), std::pair(&e.table_oom, e.oom.budget)})
    if (!table->rows.empty())
      text += listed(fmt::format("decisions with {} bytes:", budget), decision_table_of(e, *table));
  if (e.variation) text += listed("what may vary:", variation_table(e));
  return text;
}

Json row_json(const Program& p, const DecisionRow& row) {
  Json json = {{"place", row.scene.place},
               {"depth", row.scene.depth},
               {"tensor", row.scene.tensor},
               {"resident", row.scene.resident},
               {"request", row.scene.request},
               {"shortfall", row.scene.shortfall()},
               {"pinned", row.scene.pinned},
               {"victim", p.storages()[row.victim].root},
               {"size", row.size},
               {"score", row.score ? Json(*row.score) : Json()},
               {"neighbourhood", row.neighbourhood ? Json(static_cast<double>(*row.neighbourhood)) : Json()},
               {"staleness", row.staleness},
               {"pool", row.pool},
               {"tracked", Json::array()},
               {"lowest", Json::array()}};
  for (const TrackedRow& t : row.tracked)
    json["tracked"].push_back({{"storage", p.storages()[t.storage].root},
                               {"rank", t.in_pool ? Json(t.rank) : Json()},
                               {"score", t.in_pool ? Json(t.score) : Json()}});
  for (const CandidateRow& c : row.lowest)
    json["lowest"].push_back({{"storage", p.storages()[c.storage].root}, {"score", c.score}});
  return json;
}

Json rows_json(const Program& p, const DecisionTable& table) {
  Json rows = Json::array();
  for (const DecisionRow& row : table.rows) rows.push_back(row_json(p, row));
  return rows;
}

Json intervention_json(const Program& p, const Intervention& i) {
  Json retained = Json::array();
  for (const StorageId s : i.retained) retained.push_back(p.storages()[s].root);
  const auto overhead = overhead_of(i.outcome, i.measures.model_compute, i.measures.remat_compute);
  return {{"retained", retained},
          {"outcome", name_of(i.outcome)},
          {"overhead", overhead ? Json(*overhead) : Json()},
          {"peak_pinned", i.measures.peak_pinned},
          {"depth_at_peak_pinned", i.measures.depth_at_peak_pinned},
          {"max_depth", i.measures.max_depth}};
}

Json interventions_json(const Program& p, const std::vector<Intervention>& some) {
  Json list = Json::array();
  for (const Intervention& i : some) list.push_back(intervention_json(p, i));
  return list;
}

Json places_json(const History& history) {
  Json pinned = Json::array(), depth = Json::array();
  for (const PlaceSummary& s : history.places) {
    pinned.push_back(s.peak_pinned);
    depth.push_back(s.depth);
  }
  return {{"budget", history.budget}, {"peak_pinned", pinned}, {"max_depth", depth}};
}

Json rebuild_json(const Explanation& e) {
  const auto departure = [](const std::optional<Departure>& d) {
    return d ? Json({{"place", d->place}, {"on_release", d->on_release}}) : Json();
  };
  Json list = Json::array();
  for (const Rebuilt& r : e.rebuild.tensors)
    list.push_back({{"tensor", r.tensor},
                    {"depth", r.depth},
                    {"times", r.times},
                    {"gone_in_oom", departure(r.gone_in_oom)},
                    {"gone_in_ok", departure(r.gone_in_ok)},
                    {"kept_by_ok", r.kept_by_ok}});
  return {{"tensors", list}, {"at_depth", e.rebuild.at_depth}};
}

Json variation_json(const Explanation& e) {
  const auto range = [](const VariationRange& r) {
    return Json({{"from", r.least}, {"to", r.most}, {"from_is_open", r.least_is_open}, {"to_is_open", r.most_is_open}});
  };
  Json values = Json::array();
  for (const VariedValue& v : e.variation->values)
    values.push_back({{v.quantity == Quantity::size ? "size_of" : "cost_of", v.of},
                      {"value", v.value},
                      {"same_budgets", range(v.same_budgets)},
                      {"any_hole", range(v.any_hole)}});
  return {{"ok", range(e.variation->ok)},
          {"oom", range(e.variation->oom)},
          {"ok_above", range(e.variation->ok_above)},
          {"values", values}};
}

}  // namespace

std::string explain_report_text(const Explanation& e, bool colours) {
  std::string text = paint(title(e), Colour::red, colours) + "\n";
  std::size_t number = 0;
  for (const Sentence& s : account_of(e)) text += wrapped(s.text, fmt::format("{:2}. ", ++number), "    ", 120);
  return text + tables_text(e);
}

std::string explain_report_markdown(const Explanation& e) {
  std::string text = "## " + title(e) + "\n\n";
  std::size_t number = 0;
  for (const Sentence& s : account_of(e)) text += fmt::format("{}. {}\n", ++number, s.text);
  return text + "\n```" + tables_text(e) + "```\n";
}

std::string explain_report_json(const Explanation& e) {
  const Program& p = e.origin.program;
  Json account = Json::array();
  for (const Sentence& s : account_of(e)) {
    Json numbers = Json::object();
    for (const auto& [key, value] : s.numbers) numbers[key] = value;
    account.push_back({{"tells", s.name}, {"text", s.text}, {"numbers", numbers}});
  }
  const Interventions& i = e.interventions;
  Json json = {{"format", "pothole-explanation/1"},
               {"trace", {{"name", e.origin.name}, {"sha256", e.origin.sha256}, {"peak", e.peak}}},
               {"policy", e.origin.settings.policy.text},
               {"budgets", {{"ok", e.ok.budget}, {"oom", e.oom.budget}}},
               {"account", account},
               {"places", {places_json(e.ok), places_json(e.oom)}},
               {"rebuild", rebuild_json(e)},
               {"interventions",
                {{"control", intervention_json(p, i.control)},
                 {"control_reproduces", i.control_reproduces},
                 {"likely", interventions_json(p, i.likely)},
                 {"others", interventions_json(p, i.others)},
                 {"smallest", interventions_json(p, i.smallest)},
                 {"smallest_is_certain", i.smallest_is_certain},
                 {"all_tried", i.all_tried}}},
               {"schedule_peak", e.schedule_peak}};
  if (e.parting_ok) json["parting_ok"] = row_json(p, *e.parting_ok);
  if (e.parting_oom) json["parting_oom"] = row_json(p, *e.parting_oom);
  if (e.cause) json["cause"] = row_json(p, *e.cause);
  json["decisions"] = {{"ok", rows_json(p, e.table_ok)}, {"oom", rows_json(p, e.table_oom)}};
  if (e.variation) json["variation"] = variation_json(e);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pothole
