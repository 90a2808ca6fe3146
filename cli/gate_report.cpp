#include "cli/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/junit_report.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(RuleState state) {
  switch (state) {
    case RuleState::held:
      return "held";
    case RuleState::broken:
      return "broken";
    case RuleState::unresolved:
      return "unresolved";
  }
  return "";
}

std::string plural(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::size_t count_of(const GateReport& report, RuleState state) {
  return static_cast<std::size_t>(std::count_if(report.verdicts.begin(), report.verdicts.end(),
                                                [&](const RuleVerdict& v) { return v.state == state; }));
}

std::string heading(const GateReport& report) {
  std::size_t cases = 0;
  for (const GatedTrace& t : report.traces) cases += t.is_case;
  std::string text =
      fmt::format("{} against {} over {}", report.head, report.base, plural(report.traces.size() - cases, "trace"));
  if (cases > 0) text += fmt::format(" and {}", plural(cases, "case"));
  return text + report.note;
}

std::string outcome(const GateReport& report) {
  if (report.is_red()) return fmt::format("red: {} broken", plural(count_of(report, RuleState::broken), "rule"));
  if (report.is_open())
    return fmt::format("open: no rule is broken, {} could not be judged",
                       plural(count_of(report, RuleState::unresolved), "rule"));
  return "green: no rule is broken";
}

std::string name_of_rule(const RuleVerdict& v) {
  return v.trace.empty() ? std::string(v.rule) : fmt::format("{}: {}", v.trace, v.rule);
}

std::string reason(const RuleVerdict& v) {
  return fmt::format("{} (accepted: {}{})", v.found, v.allowed, v.certain ? "" : "; as far as is known");
}

// What is known of the coverage of a trace, where it is not every budget.
std::string coverage_text(const GatedTrace& t) {
  if (t.base.sampled || t.head.sampled) {
    const MapReport& m = t.head.sampled ? t.head : t.base;
    return fmt::format("sampled at {} budgets: what lies between them is not known", *m.sampled);
  }
  if (t.comparison.unresolved > 0) return fmt::format("{} B without an outcome", t.comparison.unresolved);
  return "";
}

std::string change_text(auto base, auto head) {
  return base == head ? fmt::format("{}", head) : fmt::format("{} -> {}", base, head);
}

std::string change_text(std::optional<Bytes> base, std::optional<Bytes> head) {
  const auto text = [](std::optional<Bytes> budget) { return budget ? fmt::format("{}", *budget) : "never"; };
  return change_text(text(base), text(head));
}

Table trace_table(const GateReport& report) {
  Table table({{"trace"},
               {"holes", true},
               {"hole bytes", true},
               {"first success", true},
               {"stable from", true},
               {"mean overhead", true},
               {"worst overhead", true}});
  for (const GatedTrace& t : report.traces) {
    if (t.is_case) continue;
    const MapComparison& c = t.comparison;
    const auto factor = [](std::optional<double> f) { return f ? fmt::format("x {:.4f}", *f) : "-"; };
    table.add_row({t.trace.name, change_text(t.base.holes.size(), t.head.holes.size()),
                   change_text(c.base_hole_bytes, c.head_hole_bytes), change_text(c.base_first, c.head_first),
                   change_text(c.base_stable, c.head_stable), factor(c.mean_overhead), factor(c.worst_overhead)});
  }
  return table;
}

// What is good to know and breaks no rule.
std::vector<std::string> notes(const GateReport& report) {
  std::vector<std::string> lines;
  for (const GatedTrace& t : report.traces) {
    if (t.is_case) continue;
    if (t.identical)
      lines.push_back(
          fmt::format("{}: identical decisions on all {}", t.trace.name, plural(*t.identical, "execution")));
    else if (t.comparison.same_map)
      lines.push_back(fmt::format("{}: the same outcomes and compute at every budget", t.trace.name));
    for (const HoleChange& c : t.comparison.closed)
      lines.push_back(fmt::format("{}: the hole [{}, {}) of the base is closed", t.trace.name, c.hole.from, c.hole.to));
    if (const std::string coverage = coverage_text(t); !coverage.empty())
      lines.push_back(fmt::format("{}: {}", t.trace.name, coverage));
  }
  return lines;
}

std::vector<const RuleVerdict*> verdicts_of(const GateReport& report, RuleState state) {
  std::vector<const RuleVerdict*> some;
  for (const RuleVerdict& v : report.verdicts)
    if (v.state == state) some.push_back(&v);
  return some;
}

Json hole_json(const HoleChange& change) {
  return {{"from", change.hole.from},
          {"to", change.hole.to},
          {"bytes", change.more},
          {"other_fails_too_bytes", change.failing_there}};
}

Json holes_json(const std::vector<HoleChange>& changes) {
  Json list = Json::array();
  for (const HoleChange& change : changes) list.push_back(hole_json(change));
  return list;
}

Json optional_json(const auto& value) { return value ? Json(*value) : Json(); }

Json trace_json(const GatedTrace& t) {
  const MapComparison& c = t.comparison;
  return {{"name", t.trace.name},
          {"sha256", t.trace.sha256},
          {"peak", t.trace.peak},
          {"is_case", t.is_case},
          {"coverage", t.base.sampled || t.head.sampled ? "sampled" : "certified"},
          {"unresolved_bytes", c.unresolved},
          {"opened", holes_json(c.opened)},
          {"widened", holes_json(c.widened)},
          {"closed", holes_json(c.closed)},
          {"base",
           {{"holes", t.base.holes.size()},
            {"hole_bytes", c.base_hole_bytes},
            {"first_success", optional_json(c.base_first)},
            {"stable_from", optional_json(c.base_stable)}}},
          {"head",
           {{"holes", t.head.holes.size()},
            {"hole_bytes", c.head_hole_bytes},
            {"first_success", optional_json(c.head_first)},
            {"stable_from", optional_json(c.head_stable)}}},
          {"both_complete_bytes", c.both_ok},
          {"only_base_completes_bytes", c.base_only},
          {"only_head_completes_bytes", c.head_only},
          {"mean_overhead", optional_json(c.mean_overhead)},
          {"worst_overhead", optional_json(c.worst_overhead)},
          {"worst_at", c.worst_overhead ? Json({c.worst_at.from, c.worst_at.to}) : Json()},
          {"same_map", c.same_map},
          {"identical_executions", optional_json(t.identical)}};
}

// As GitHub's runners want data and properties of a command written.
std::string annotation_text(const std::string& text, bool property) {
  std::string result;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result;
}

}  // namespace

bool GateReport::is_red() const { return count_of(*this, RuleState::broken) > 0; }
bool GateReport::is_open() const { return count_of(*this, RuleState::unresolved) > 0; }

std::string gate_text(const GateReport& report, bool colours) {
  const Colour colour = report.is_red() ? Colour::red : Colour::green;
  std::string text = paint(outcome(report), colour, colours) + "\n";
  for (const RuleState state : {RuleState::broken, RuleState::unresolved})
    for (const RuleVerdict* v : verdicts_of(report, state))
      text += fmt::format("  {:10}  {}: {}\n", name_of(state), name_of_rule(*v), reason(*v));
  text += "\n" + heading(report) + "\n";
  if (const Table table = trace_table(report); !table.empty())
    for (const std::string& line : table.lines("  ")) text += line + "\n";
  for (const std::string& line : notes(report)) text += line + "\n";
  for (const RuleVerdict& v : report.verdicts)
    if (v.trace.empty() && v.state == RuleState::held) text += fmt::format("{}: {}\n", v.rule, v.found);
  return text;
}

std::string gate_markdown(const GateReport& report) {
  std::string text =
      fmt::format("### pothole gate: {}\n\n{}\n", markdown_text(outcome(report)), markdown_text(heading(report)));
  for (const RuleState state : {RuleState::broken, RuleState::unresolved})
    for (const RuleVerdict* v : verdicts_of(report, state))
      text +=
          fmt::format("\n- **{}** {}: {}", name_of(state), markdown_text(name_of_rule(*v)), markdown_text(reason(*v)));
  if (report.is_red() || report.is_open()) text += "\n";
  if (const Table table = trace_table(report); !table.empty()) {
    text += "\n";
    for (const std::string& line : table.markdown()) text += line + "\n";
  }
  for (const std::string& line : notes(report)) text += "\n- " + markdown_text(line);
  return text;
}

std::string gate_json(const GateReport& report) {
  Json traces = Json::array(), rules = Json::array();
  for (const GatedTrace& t : report.traces) traces.push_back(trace_json(t));
  for (const RuleVerdict& v : report.verdicts)
    rules.push_back({{"rule", v.rule},
                     {"trace", v.trace.empty() ? Json() : Json(v.trace)},
                     {"state", name_of(v.state)},
                     {"found", v.found},
                     {"accepted", v.allowed},
                     {"certain", v.certain}});
  const Json json = {{"format", "pothole-gate/1"},
                     {"base", report.base},
                     {"head", report.head},
                     {"result", report.is_red()    ? "red"
                                : report.is_open() ? "open"
                                                   : "green"},
                     {"rules", rules},
                     {"traces", traces}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string gate_junit(const GateReport& report) {
  std::vector<JunitTest> tests;
  for (const RuleVerdict& v : report.verdicts) {
    JunitTest test;
    test.group = v.trace.empty() ? "corpus" : v.trace;
    test.name = std::string(v.rule);
    if (v.state != RuleState::held) {
      test.result = v.state == RuleState::broken ? JunitTest::Result::failure : JunitTest::Result::error;
      test.type = name_of(v.state);
      test.message = reason(v);
    }
    tests.push_back(std::move(test));
  }
  return junit_xml("pothole gate", tests);
}

std::string gate_annotations(const GateReport& report) {
  std::string text;
  for (const RuleVerdict* v : verdicts_of(report, RuleState::broken))
    text += fmt::format("::error title={}::{}\n", annotation_text(fmt::format("pothole gate: {}", v->rule), true),
                        annotation_text(fmt::format("{}: {}", name_of_rule(*v), reason(*v)), false));
  for (const RuleVerdict* v : verdicts_of(report, RuleState::unresolved))
    text += fmt::format("::warning title={}::{}\n", annotation_text(fmt::format("pothole gate: {}", v->rule), true),
                        annotation_text(fmt::format("{}: {}", name_of_rule(*v), reason(*v)), false));
  return text;
}

}  // namespace pothole
