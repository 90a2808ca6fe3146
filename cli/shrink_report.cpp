#include "cli/shrink_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/counted.h"
#include "cli/program_text.h"
#include "cli/reproduction.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kOperatorsShown = 40;  // more are no help to anybody

std::string_view why_failed(const Attempt& attempt) {
  switch (attempt.kind) {
    case Attempt::Kind::no_change:
      return "changes nothing";
    case Attempt::Kind::invalid:
      return "leaves no valid program";
    case Attempt::Kind::not_smaller:
      return "is not smaller";
    case Attempt::Kind::no_hole:
      return name_of(attempt.answer);
    case Attempt::Kind::taken:
      return "was taken";
  }
  return "";
}

std::string tried_text(const std::vector<Attempt>& attempts) {
  Table table({{"edit"}, {"piece", true}, {"why not"}});
  for (const Attempt& attempt : attempts)
    table.add_row({std::string(attempt.pass), std::to_string(attempt.piece), std::string(why_failed(attempt))});
  std::string text = "\nthe last round of single edits:\n";
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  return text;
}

// What --certify says.
std::string certificate_text(const ShrinkReport& report) {
  const SmallestBounds& b = report.bounds;
  const std::string family =
      fmt::format("programs of up to {} operators with one output each, sizes 1 to {}, costs 1 to {}, no late uses",
                  b.operators, b.size_most, b.cost_most);
  if (const auto& best = report.smaller->progress.best)
    return fmt::format("not globally minimal: of {}, one of {}, {} and {} is smaller (pothole smallest shows it)",
                       family, counted(static_cast<std::uint64_t>(best->rank.operators), "operator"),
                       counted(static_cast<std::uint64_t>(best->rank.edges), "edge"),
                       counted(static_cast<std::uint64_t>(best->rank.total_bytes), "byte"));
  if (!report.smaller->complete)
    return fmt::format("not known to be globally minimal: ended before {} were searched", family);
  if (!report.smaller->proved())
    return fmt::format("not known to be globally minimal: of {}, some make the policy do what no policy may", family);
  return fmt::format("globally minimal within bounds: of {}, none with a hole is smaller", family);
}

}  // namespace

std::string claim_text(const ShrinkReport& report) {
  const Shrinker& s = report.shrinker;
  if (!s.one_minimal()) return fmt::format("not known to be 1-minimal: ended by {}", report.ended_by);
  std::string text = "1-minimal: no single edit makes it smaller";
  if (s.pairs_exhausted()) text += ", and no pair of edits";
  if (s.state().phase == ShrinkPhase::done)
    text += fmt::format("{} {} in a row came to nothing", s.pairs_exhausted() ? ";" : "; pairs were not all tried;",
                        counted(static_cast<std::uint64_t>(report.pumps), "pump"));
  else
    text += fmt::format("; {} ended what else may be tried", report.ended_by);
  return text;
}

std::string shrink_report_text(const ShrinkReport& report, bool colours) {
  const Case& c = report.c;
  std::string text = paint(c.title, Colour::red, colours) + "\n";
  if (c.program.operators().size() <= kOperatorsShown) text += program_text(c.program);
  text += fmt::format("  {}\n  {}\n", c.text, c.signature);
  text += fmt::format("from {}, {}\n{}\n", counted(report.operators_before, "operator"),
                      counted(static_cast<std::uint64_t>(report.shrinker.state().evaluations), "evaluation"),
                      claim_text(report));
  if (report.smaller) text += certificate_text(report) + "\n";
  if (report.others > 0)
    text += fmt::format("{} met on the way {} kept beside it\n", counted(report.others, "other hole"),
                        report.others == 1 ? "is" : "are");
  text += fmt::format("kept in {}\n  {}\n", report.file.string(), reproduction(c, report.file));
  if (report.with_tried && report.shrinker.one_minimal()) text += tried_text(report.shrinker.last_round());
  return text;
}

std::string shrink_report_json(const ShrinkReport& report) {
  const Case& c = report.c;
  const Shrinker& s = report.shrinker;
  Json json = {{"format", "pothole-shrunk/1"},
               {"file", report.file.string()},
               {"title", c.title},
               {"policy", c.policy},
               {"budgets", {{"ok", c.budgets->ok}, {"oom", c.budgets->oom}, {"ok_above", c.budgets->ok_above}}},
               {"signature", c.signature},
               {"operators_before", report.operators_before},
               {"operators", c.program.operators().size()},
               {"evaluations", s.state().evaluations},
               {"one_minimal", s.one_minimal()},
               {"pairs_exhausted", s.pairs_exhausted()},
               {"done", s.state().phase == ShrinkPhase::done},
               {"ended_by", report.ended_by.empty() ? Json() : Json(report.ended_by)},
               {"others", report.others}};
  if (report.smaller) {
    const bool known = report.smaller->proved() || report.smaller->progress.best;
    json["globally_minimal"] = {{"operators", report.bounds.operators},
                                {"sizes", {1, report.bounds.size_most}},
                                {"costs", {1, report.bounds.cost_most}},
                                {"is", known ? Json(!report.smaller->progress.best) : Json()}};
  }
  if (report.with_tried && s.one_minimal()) {
    json["tried"] = Json::array();
    for (const Attempt& a : s.last_round())
      json["tried"].push_back({{"edit", a.pass}, {"piece", a.piece}, {"why_not", why_failed(a)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace pothole
