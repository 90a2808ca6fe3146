// Verdicts as JSON and as text.
#include "cli/check_report.h"

#include <fmt/format.h>

#include "cli/json_number.h"
#include "cli/settings_text.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "engine/plugin/plugin_policy.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

Json violation_json(const Verdict& verdict) {
  if (!verdict.violation) return nullptr;
  const Violation& v = *verdict.violation;
  return {{"kind", v.signature.kind},
          {"place", v.signature.place ? Json(*v.signature.place) : Json(nullptr)},
          {"budgets", v.budgets},
          {"storages", v.storages},
          {"text", v.text}};
}

Json verdict_json(const CheckedProperty& checked, const ConfiguredPolicy& policy) {
  const Verdict& v = checked.verdict;
  return {{"property", checked.property->name},
          {"breach", name_of(breach_of(*checked.property, policy))},
          {"verdict", name_of(v.ruling)},
          {"why", v.why.empty() ? Json(nullptr) : Json(v.why)},
          {"coverage", v.coverage.sampled ? "sampled" : "certified"},
          {"checked", v.coverage.checked},
          {"executions", v.coverage.known},
          {"violation", violation_json(v)}};
}

Json report_json(const CheckReport& report) {
  Json json;
  json["policy"] = report.settings.policy.text;
  json["dealloc"] = name_of(report.settings.dealloc);
  json["overhead_limit"] = plain_number(report.settings.overhead_limit.value());
  json["comparison"] = name_of(report.settings.comparison);
  json["range"] = {report.range.from, report.range.to};
  json["verdicts"] = Json::array();
  for (const CheckedProperty& checked : report.properties)
    json["verdicts"].push_back(verdict_json(checked, report.settings.policy));
  return json;
}

std::string ruling_text(const CheckedProperty& checked, const ConfiguredPolicy& policy) {
  const Verdict& v = checked.verdict;
  if (v.ruling == Ruling::holds && v.coverage.sampled) return "holds (sampled)";
  const Breach breach = breach_of(*checked.property, policy);
  if (v.ruling != Ruling::violated || breach == Breach::finding) return std::string(name_of(v.ruling));
  return fmt::format("{} broken", name_of(breach));
}

std::string coverage_text(const Verdict& v) {
  if (v.ruling == Ruling::not_applicable) return "";
  const Coverage& c = v.coverage;
  return !c.sampled ? "every budget" : fmt::format("{} of {} executions", c.checked, c.known);
}

std::string table_text(const CheckReport& report, bool colours) {
  Table table({{"property"}, {"verdict"}, {"coverage"}, {"evidence"}});
  for (const CheckedProperty& checked : report.properties) {
    const Verdict& v = checked.verdict;
    table.add_row({std::string(checked.property->name), ruling_text(checked, report.settings.policy), coverage_text(v),
                   v.violation ? v.violation->text : v.why});
  }
  std::vector<std::string> lines = table.lines("  ");
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool bad = i > 0 && report.properties[i - 1].verdict.ruling == Ruling::violated;
    text += (bad ? paint(lines[i], Colour::red, colours) : lines[i]) + "\n";
  }
  return text;
}

}  // namespace

ExitCode exit_code_of(const std::vector<CheckReport>& reports, bool was_interrupted) {
  bool broken = false, found = false, open = false, misbehaved = false;
  for (const CheckReport& report : reports) {
    for (const auto& [property, verdict] : report.properties) {
      const bool violated = verdict.ruling == Ruling::violated;
      broken = broken || (violated && breach_of(*property, report.settings.policy) == Breach::contract);
      found = found || violated;
      open = open || verdict.ruling == Ruling::unresolved;
      misbehaved = misbehaved || verdict.misbehaved;
    }
  }
  if (broken) return ExitCode::contract_broken;
  if (open && was_interrupted) return ExitCode::interrupted;
  if (misbehaved) return ExitCode::policy_misbehaved;
  if (found) return ExitCode::found;
  return open ? ExitCode::work_left : ExitCode::nothing_found;
}

std::string check_json(const Trace& trace, Bytes peak, const std::vector<CheckReport>& reports) {
  Json json;
  json["format"] = "pothole-check/1";
  json["trace"] = {{"name", trace.name},
                   {"sha256", trace.sha256},
                   {"peak", peak},
                   {"operators", trace.program.operators().size()},
                   {"storages", trace.program.storages().size()}};
  json["policies"] = Json::array();
  for (const CheckReport& report : reports) json["policies"].push_back(report_json(report));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string check_text(const Trace& trace, Bytes peak, const std::vector<CheckReport>& reports, bool colours) {
  std::string text = paint(trace.name, Colour::bold, colours);
  text += fmt::format(": {} operators, {} storages, peak {} bytes\n", trace.program.operators().size(),
                      trace.program.storages().size(), peak);
  for (const CheckReport& report : reports) {
    text += fmt::format("\n{}, budgets from {} to {} bytes{}\n\n", with_short_digest(report.settings.policy.text),
                        report.range.from, report.range.to - 1, unusual_settings_text(report.settings));
    text += table_text(report, colours);
  }
  return text;
}

}  // namespace pothole
