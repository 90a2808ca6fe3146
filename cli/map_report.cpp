// A map, what follows from it, and its JSON. Intervals are half-open there.
#include "cli/map_report.h"

#include <utility>

#include "cli/json_number.h"

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

Json holes_json(const MapReport& report, Bytes peak) {
  Json list = Json::array();
  for (std::size_t i = 0; i < report.holes.size(); ++i) {
    const Hole& h = report.holes[i];
    list.push_back({{"from", h.from},
                    {"to", h.to},
                    {"oom_bytes", h.oom_bytes},
                    {"thrashed_bytes", h.thrashed_bytes},
                    {"unresolved_bytes", h.unresolved_bytes},
                    {"policy_error_bytes", h.policy_error_bytes},
                    {"ratio_from", ratio_of(h.from, peak)},
                    {"ratio_to", ratio_of(h.to, peak)},
                    {"safe_budget", h.safe_budget},
                    {"rounding_artefact", or_null(report.artefacts[i])}});
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

Json policy_errors_json(const std::vector<PolicyErrorInterval>& errors) {
  Json list = Json::array();
  for (const PolicyErrorInterval& e : errors) {
    list.push_back({{"from", e.from}, {"to", e.to}, {"operator", e.fault.op}, {"why", e.fault.why}});
  }
  return list;
}

Json policy_json(const MapReport& report, Bytes peak) {
  Json json;
  json["policy"] = report.settings.policy.text;
  json["dealloc"] = name_of(report.settings.dealloc);
  json["overhead_limit"] = plain_number(report.settings.overhead_limit.value());
  json["comparison"] = name_of(report.settings.comparison);
  json["range"] = {report.map.from, report.map.to};
  json["coverage"] = report.sampled ? "sampled" : "certified";
  json["certified_bytes"] = report.certified_bytes;
  json["executions"] = report.map.executions.size();
  json["states_merged"] = report.map.work.states_merged;
  json["distinct_steps"] = report.map.work.distinct_steps;
  json["execution_steps"] = report.map.work.execution_steps;
  json["first_success"] = or_null(report.first_success);
  json["stable_from"] = or_null(report.stable_from);
  json["segments"] = segments_json(report.segments);
  json["holes"] = holes_json(report, peak);
  json["cost_inversions"] = inversions_json(report.cost_inversions);
  json["unresolved"] = unresolved_json(report.unresolved);
  json["policy_errors"] = policy_errors_json(report.policy_errors);
  return json;
}

}  // namespace

MapReport::MapReport(RunSettings settings_used, FeasibilityMap found, std::optional<std::size_t> budgets_sampled)
    : settings(std::move(settings_used)),
      map(std::move(found)),
      sampled(budgets_sampled),
      segments(segments_of(map)),
      holes(holes_of(segments)),
      artefacts(holes.size()),
      cost_inversions(cost_inversions_of(map)),
      unresolved(unresolved_of(map)),
      policy_errors(policy_errors_of(map)),
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

}  // namespace pothole
