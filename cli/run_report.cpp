// The order of the keys is part of the format.
#include "cli/run_report.h"

#include <fmt/format.h>

#include "cli/budget.h"
#include "cli/json_number.h"
#include "engine/feasibility_map.h"
#include "engine/plugin/plugin_policy.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

// File names need not be UTF-8, JSON must.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string interval_text(const Certificate& certificate) {
  const auto [lo, hi] = certificate;
  if (hi == Certificate::kUnbounded) return fmt::format("every budget from {} bytes up", lo);
  if (hi - lo == 1) return fmt::format("no budget but {} bytes", lo);
  return fmt::format("every budget from {} to {} bytes, both included", lo, hi - 1);
}

bool draws(const RunSettings& settings) { return settings.policy.policy->needs.has(Feature::random); }

std::string outcome_text(const RunReport& report, const Program& program) {
  const RunResult& r = report.result;
  std::string text(name_of(r.outcome));
  if (r.failure) {
    text += fmt::format(": a request of {} bytes was {} over the budget at depth {}, {} bytes pinned",
                        r.failure->request, r.failure->over_by, r.failure->depth, r.failure->pinned);
  }
  if (r.fault) text += fmt::format(" at operator {}: {}", r.fault->op, r.fault->why);
  if (!r.why_unresolved.empty()) text += fmt::format(": {}", r.why_unresolved);
  if (report.budget < program.constant_bytes()) {
    text += fmt::format("\n             infeasible for every policy: the constants alone need {} bytes",
                        program.constant_bytes());
  }
  return text;
}

}  // namespace

std::string run_json(const RunReport& report, bool victims) {
  const RunResult& r = report.result;
  const Measures& m = r.measures;
  Json json;
  json["trace"] = report.trace.empty() ? Json(nullptr) : Json(report.trace);
  json["policy"] = report.settings.policy.text;
  json["dealloc"] = name_of(report.settings.dealloc);
  json["budget"] = report.budget;
  json["overhead_limit"] = plain_number(report.settings.overhead_limit.value());
  json["comparison"] = name_of(report.settings.comparison);
  if (draws(report.settings)) json["seed"] = report.settings.seed;
  json["outcome"] = name_of(r.outcome);
  json["clock"] = m.clock;
  json["model_compute"] = m.model_compute;
  json["remat_compute"] = m.remat_compute;
  const auto overhead = overhead_of(r.outcome, m.model_compute, m.remat_compute);
  json["overhead"] = overhead ? Json(*overhead) : Json(nullptr);
  json["peak_resident"] = m.peak_resident;
  json["evictions_by_policy"] = m.evictions_by_policy;
  json["evictions_on_release"] = m.evictions_on_release;
  json["remats"] = m.remats;
  json["max_depth"] = m.max_depth;
  json["peak_pinned"] = m.peak_pinned;
  json["depth_at_peak_pinned"] = m.depth_at_peak_pinned;
  const Json hi = r.certificate.hi == Certificate::kUnbounded ? Json(nullptr) : Json(r.certificate.hi);
  json["certificate"] = Json::array({r.certificate.lo, hi});
  if (victims) json["victims"] = r.victims;
  json["failure"] = nullptr;
  if (r.failure) {
    json["failure"] = {{"request", r.failure->request},
                       {"over_by", r.failure->over_by},
                       {"depth", r.failure->depth},
                       {"pinned", r.failure->pinned}};
  }
  json["policy_error"] = nullptr;
  if (r.fault) json["policy_error"] = {{"operator", r.fault->op}, {"why", r.fault->why}};
  return line_of(json);
}

std::string error_json(const std::string& message) { return line_of(Json{{"error", message}}); }

std::string run_text(const RunReport& report, const Program& program, Bytes peak, bool victims) {
  const RunResult& r = report.result;
  const Measures& m = r.measures;
  const auto overhead = overhead_of(r.outcome, m.model_compute, m.remat_compute);
  std::string text = fmt::format("trace        {}: {} operators, {} storages, peak {} bytes\n", report.trace,
                                 program.operators().size(), program.storages().size(), peak);
  text += fmt::format("policy       {}, dealloc {}, overhead limit {}", with_short_digest(report.settings.policy.text),
                      name_of(report.settings.dealloc), report.settings.overhead_limit.value());
  if (report.settings.comparison != Comparison::reference)
    text += fmt::format(", comparison {}", name_of(report.settings.comparison));
  if (draws(report.settings)) text += fmt::format(", seed {}", report.settings.seed);
  text += fmt::format("\nbudget       {} bytes ({})", report.budget, short_bytes(report.budget));
  if (peak > 0) {
    text += fmt::format(", ratio {:.6g} of the peak", static_cast<double>(report.budget) / static_cast<double>(peak));
  }
  text += fmt::format("\noutcome      {}\n", outcome_text(report, program));
  text += fmt::format("overhead     {}\n", overhead ? fmt::format("{:.6g}", *overhead) : "not applicable");
  text += fmt::format("compute      {} of the model, {} rematerializing, clock {}\n", m.model_compute, m.remat_compute,
                      m.clock);
  text += fmt::format("resident     peak {} bytes; pinned peak {} bytes, at depth {}\n", m.peak_resident, m.peak_pinned,
                      m.depth_at_peak_pinned);
  text += fmt::format("evictions    {} by the policy, {} on release\n", m.evictions_by_policy, m.evictions_on_release);
  text += fmt::format("remats       {}, deepest nesting {}\n", m.remats, m.max_depth);
  text += fmt::format("certificate  the same execution at {}\n", interval_text(r.certificate));
  if (victims) {
    text += "victims      ";
    for (std::size_t i = 0; i < r.victims.size(); ++i) text += fmt::format("{}{}", i > 0 ? " " : "", r.victims[i]);
    text += "\n";
  }
  return text;
}

}  // namespace pothole
