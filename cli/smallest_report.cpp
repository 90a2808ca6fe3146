#include "cli/smallest_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/case_answer.h"
#include "cli/counted.h"
#include "cli/json_number.h"
#include "cli/program_text.h"
#include "cli/settings_text.h"
#include "cli/terminal.h"
#include "corpus/trace.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(EnumerationBounds::Arguments arguments) {
  return arguments == EnumerationBounds::Arguments::lists ? "lists" : "sets";
}

std::string map_text(const std::vector<Segment>& segments) {
  std::string text;
  for (const Segment& s : segments) {
    const bool last = &s == &segments.back();
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(s.outcome),
                        last                 ? fmt::format("from {}", s.from)
                        : s.to == s.from + 1 ? std::to_string(s.from)
                                             : fmt::format("{} to {}", s.from, s.to - 1));
  }
  return text;
}

std::string covered_text(const SmallestBounds& b) {
  std::string text = fmt::format(
      "Programs: operators with one output each and no repeated argument, sizes 1 to {}, costs 1 to {};\narguments "
      "{}; ",
      b.size_most, b.cost_most,
      b.arguments == EnumerationBounds::Arguments::lists ? "in every order" : "in order of creation only");
  text += b.late_uses ? "tensors are used after their release, too;\n" : "no tensor is used after its release;\n";
  text += b.outputs ? "what is not released is brought back at the end. " : "everything is released in the end. ";
  return text + "No constants, aliases or further references.\n";
}

std::string proved_text(const Smallest& found) {
  const SmallestProgress& p = found.progress;
  std::string text;
  if (p.misbehaved)
    return "nothing, as the policy did what no policy may in programs that were searched (pothole fuzz shows such)";
  if (p.operators > 1) text = fmt::format("no program with up to {} has a hole", counted(p.operators - 1, "operator"));
  if (found.complete && !p.best) return text;
  if (p.edges > 0)
    text += fmt::format("{}of {} none with {}", text.empty() ? "" : "; ", counted(p.operators, "operator"),
                        p.edges == 1 ? "no edge" : "up to " + counted(p.edges - 1, "edge"));
  if (!found.complete)
    text += fmt::format("{}of {} and {} the first {}", text.empty() ? "" : "; ", counted(p.operators, "operator"),
                        counted(p.edges, "edge"), counted(p.next_skeleton, "skeleton"));
  return text;
}

std::string headline(const Smallest& found) {
  const bool misbehaved = found.progress.misbehaved;
  if (!found.progress.best)
    return !found.complete ? "no hole so far" : misbehaved ? "no hole was met" : "no hole within the bounds";
  const Rank& rank = found.progress.best->rank;
  return fmt::format("the smallest hole{} has {}, {}, {}, {}",
                     !found.complete ? " so far"
                     : misbehaved    ? " that was met"
                                     : "",
                     counted(static_cast<std::uint64_t>(rank.operators), "operator"),
                     counted(static_cast<std::uint64_t>(rank.edges), "edge"),
                     counted(static_cast<std::uint64_t>(rank.values), "distinct value"),
                     counted(static_cast<std::uint64_t>(rank.total_bytes), "byte"));
}

}  // namespace

std::string smallest_text(const Smallest& found, const RunSettings& settings, const SmallestBounds& bounds,
                          bool colours) {
  const bool hole = found.progress.best.has_value();
  std::string text = fmt::format("{}{}: {}\n", settings.policy.label(), unusual_settings_text(settings),
                                 paint(headline(found), hole ? Colour::red : Colour::green, colours));
  if (hole) {
    const Program program = program_of(*found.progress.best, bounds);
    const Witness& w = found.progress.best->rank.witness;
    text += program_text(program);
    text += fmt::format("  budgets: {}\n", map_text(segments_of(exact_map(program, settings))));
    text += fmt::format("  completes with {}, runs out of memory with {}, completes again with {}\n", w.ok, w.oom,
                        w.ok_above);
  }
  text += fmt::format("Proved: {}.\n", proved_text(found));
  return text + covered_text(bounds);
}

std::string smallest_json(const Smallest& found, const RunSettings& settings, const SmallestBounds& bounds) {
  const SmallestProgress& p = found.progress;
  const bool none = found.complete && !p.best;
  Json json = {{"format", "pothole-smallest/1"},
               {"policy", settings.policy.text},
               {"dealloc", name_of(settings.dealloc)},
               {"overhead_limit", plain_number(settings.overhead_limit.value())},
               {"comparison", name_of(settings.comparison)},
               {"bounds",
                {{"operators", bounds.operators},
                 {"sizes", {1, bounds.size_most}},
                 {"costs", {1, bounds.cost_most}},
                 {"arguments", name_of(bounds.arguments)},
                 {"late_uses", bounds.late_uses},
                 {"outputs", bounds.outputs}}},
               {"complete", found.complete},
               {"misbehaved", p.misbehaved},
               {"proved",
                {{"operators_without_hole", p.operators - 1},
                 {"then_edges_without_hole", none || p.edges == 0 ? Json(nullptr) : Json(p.edges - 1)},
                 {"then_skeletons", none ? Json(nullptr) : Json(p.next_skeleton)}}}};
  if (p.misbehaved) json["proved"] = nullptr;
  json["hole"] = nullptr;
  if (p.best) {
    const Rank& rank = p.best->rank;
    const Program program = program_of(*p.best, bounds);
    std::ostringstream native;
    write_trace(native, {smallest_case(found, settings, bounds).title, "", program, {}});
    Json segments = Json::array();
    for (const Segment& s : segments_of(exact_map(program, settings)))
      segments.push_back({{"from", s.from}, {"to", s.to}, {"outcome", name_of(s.outcome)}});
    json["hole"] = {
        {"operators", rank.operators},
        {"edges", rank.edges},
        {"distinct_values", rank.values},
        {"total_bytes", rank.total_bytes},
        {"budgets", {{"ok", rank.witness.ok}, {"oom", rank.witness.oom}, {"ok_above", rank.witness.ok_above}}},
        {"segments", std::move(segments)},
        {"program", Json::parse(native.str())}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Case smallest_case(const Smallest& found, const RunSettings& settings, const SmallestBounds& bounds) {
  const Program program = program_of(*found.progress.best, bounds);
  const Witness& w = found.progress.best->rank.witness;
  Case c = case_about(program, settings, kHoleProperty);
  const FeasibilityMap map = map_of_case(program, settings, range_of_case(program), {});
  static_cast<CaseAnswer&>(c) = hole_answer(program, settings, map, CaseBudgets{w.ok, w.oom, w.ok_above});
  c.provenance.tool = POTHOLE_VERSION;
  c.provenance.origin = "smallest";
  c.provenance.note = found.complete ? "the smallest; " + proved_text(found) : "";
  return c;
}

}  // namespace pothole
