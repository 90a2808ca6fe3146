#include "cli/explain_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/budget.h"
#include "cli/explain_report.h"
#include "cli/program_text.h"

namespace pothole {
namespace {

// JSON has all.
constexpr std::size_t kInterventionsShown = 10;
constexpr std::size_t kRowsShown = 20;
constexpr std::size_t kDepthRows = 16, kBarLength = 40;

// The last row of a table that could be longer.
void add_rest(Table& table, std::size_t rows, std::size_t columns) {
  if (rows <= kRowsShown) return;
  std::vector<std::string> cells(columns);
  cells[0] = fmt::format("and {} more", rows - kRowsShown);
  table.add_row(std::move(cells));
}

std::string names_of(const Program& program, const std::vector<StorageId>& storages) {
  std::string text;
  for (const StorageId s : storages) text += (text.empty() ? "" : ", ") + storage_text(program, s);
  return text;
}

std::string range_text(const VariationRange& range) {
  if (range.least == range.most && !range.least_is_open && !range.most_is_open) return fmt::format("{}", range.least);
  return fmt::format("{}{} to {}{}", range.least_is_open ? "at most " : "", range.least,
                     range.most_is_open ? "at least " : "", range.most);
}

std::string departure_text(const Program& program, const std::optional<Departure>& gone) {
  if (!gone) return "was never made";
  return fmt::format("{} {}", gone->on_release ? "released after" : "evicted at", place_name(program, gone->place));
}

}  // namespace

Table phase_table(const Explanation& e) {
  Table table({{"with"}, {"when"}, {"evictions", true}, {"chosen", true}, {"on release", true}, {"remats", true}});
  const auto add = [&](const std::string& with, const std::string& when, const PhaseCount& phase) {
    table.add_row({with, when, fmt::format("{}", phase.evictions()), fmt::format("{}", phase.evictions_by_policy),
                   fmt::format("{}", phase.evictions_on_release), fmt::format("{}", phase.remats)});
  };
  const std::string failing = place_name(e.origin.program, e.divergence.failing_place);
  add("either", "before the first difference", e.divergence.before);
  for (const auto& [history, phases] : {std::pair(&e.ok, &e.divergence.ok), std::pair(&e.oom, &e.divergence.oom)})
    add(fmt::format("{} bytes", history->budget), "from there to " + failing, phases->apart);
  for (const auto& [history, phases] : {std::pair(&e.ok, &e.divergence.ok), std::pair(&e.oom, &e.divergence.oom)})
    add(fmt::format("{} bytes", history->budget), "inside " + failing, phases->inside);
  return table;
}

Table difference_table(const Explanation& e) {
  Table table({{"place"},
               {fmt::format("peak pinned with {}", e.ok.budget), true},
               {fmt::format("with {}", e.oom.budget), true},
               {fmt::format("depth with {}", e.ok.budget), true},
               {fmt::format("with {}", e.oom.budget), true}});
  std::size_t rows = 0;
  for (std::uint32_t place = 0; place < e.divergence.failing_place; ++place) {
    const PlaceSummary &a = e.ok.places[place], &b = e.oom.places[place];
    if (a.peak_pinned == b.peak_pinned && a.depth == b.depth) continue;
    if (rows++ < kRowsShown)
      table.add_row({place_name(e.origin.program, place), fmt::format("{}", a.peak_pinned),
                     fmt::format("{}", b.peak_pinned), fmt::format("{}", a.depth), fmt::format("{}", b.depth)});
  }
  add_rest(table, rows, 5);
  return table;
}

Table depth_table(const Explanation& e) {
  const std::vector<std::int64_t>& at = e.rebuild.at_depth;
  Table table({{"depth"}, {"count", true}, {""}});
  const std::size_t width = (at.size() + kDepthRows - 1) / kDepthRows;
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (i % width == 0) counts.push_back(0);
    counts.back() += at[i];
  }
  const std::int64_t most = counts.empty() ? 1 : std::max<std::int64_t>(1, *std::ranges::max_element(counts));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t from = i * width + 1, to = std::min(at.size(), from + width - 1);
    const auto length = static_cast<std::size_t>(counts[i] * static_cast<std::int64_t>(kBarLength) / most);
    table.add_row({from == to ? fmt::format("{}", from) : fmt::format("{} to {}", from, to),
                   fmt::format("{}", counts[i]), std::string(length, '#')});
  }
  return table;
}

Table rebuilt_table(const Explanation& e) {
  const Program& p = e.origin.program;
  Table table({{"tensor"},
               {"depth", true},
               {"times", true},
               {fmt::format("with {} bytes", e.oom.budget)},
               {fmt::format("with {} bytes", e.ok.budget)}});
  const std::vector<Rebuilt>& tensors = e.rebuild.tensors;
  for (std::size_t i = 0; i < std::min(kRowsShown, tensors.size()); ++i) {
    const Rebuilt& r = tensors[i];
    table.add_row({tensor_text(p, r.tensor), fmt::format("{}", r.depth), fmt::format("{}", r.times),
                   departure_text(p, r.gone_in_oom), r.kept_by_ok ? "kept" : departure_text(p, r.gone_in_ok)});
  }
  add_rest(table, tensors.size(), 5);
  return table;
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

}  // namespace pothole
