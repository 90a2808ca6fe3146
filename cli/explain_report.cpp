#include "cli/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/budget.h"
#include "cli/explain_tables.h"
#include "cli/settings_text.h"
#include "cli/terminal.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

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

std::string listed(const std::string& heading, const Table& table) {
  std::string text = "\n" + heading + "\n";
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  return text;
}

// What follows the account.
std::string tables_text(const Explanation& e, bool details) {
  std::string text;
  if (details) {
    text += listed("events:", phase_table(e));
    if (const Table table = difference_table(e); !table.empty()) text += listed("where they differ before:", table);
    const std::string inside = "inside " + place_name(e.origin.program, e.divergence.failing_place);
    text += listed(fmt::format("materializations by depth {} with {} bytes:", inside, e.oom.budget), depth_table(e));
    if (const Table table = rebuilt_table(e); !table.empty()) text += listed("rebuilt " + inside + ":", table);
  }
  text += listed(fmt::format("under {} bytes, with storages retained:", e.oom.budget), intervention_table(e));
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

Json phase_json(const PhaseCount& phase) {
  return {{"evictions_by_policy", phase.evictions_by_policy},
          {"evictions_on_release", phase.evictions_on_release},
          {"remats", phase.remats}};
}

Json divergence_json(const Explanation& e) {
  const Divergence& d = e.divergence;
  const auto event = [](const History& history, std::optional<std::size_t> at) {
    if (!at) return Json();
    const Event& evicted = history.events[*at];
    return Json({{"place", evicted.place},
                 {"on_release", evicted.kind == Event::Kind::released},
                 {"storage", evicted.tensor},
                 {"depth", evicted.depth},
                 {"pinned", evicted.pinned}});
  };
  const auto parting = [&](const Parting& p) {
    return Json({{"common", p.common}, {"ok", event(e.ok, p.ok)}, {"oom", event(e.oom, p.oom)}});
  };
  const auto phases = [](const Divergence::Phases& p) {
    return Json({{"apart", phase_json(p.apart)}, {"inside", phase_json(p.inside)}});
  };
  return {{"failing_place", d.failing_place},
          {"all_evictions", parting(d.all)},
          {"choices", parting(d.by_policy)},
          {"before", phase_json(d.before)},
          {"ok", phases(d.ok)},
          {"oom", phases(d.oom)},
          {"pinned_difference", d.pinned_difference},
          {"pinned_difference_at", d.pinned_difference_at},
          {"pinned_equal_before_failure", d.pinned_equal_before_failure}};
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

std::string explain_report_text(const Explanation& e, bool colours, bool details) {
  std::string text = paint(title(e), Colour::red, colours) + "\n";
  std::size_t number = 0;
  for (const Sentence& s : account_of(e)) text += wrapped(s.text, fmt::format("{:2}. ", ++number), "    ", 120);
  return text + tables_text(e, details);
}

std::string explain_report_markdown(const Explanation& e) {
  std::string text = "## " + markdown_text(title(e)) + "\n\n";
  std::size_t number = 0;
  for (const Sentence& s : account_of(e)) text += fmt::format("{}. {}\n", ++number, markdown_text(s.text));
  return text + "\n```" + tables_text(e, true) + "```\n";
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
               {"divergence", divergence_json(e)},
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
