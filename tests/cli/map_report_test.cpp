// Reports of maps that were made by hand, so that every kind of line is seen.
#include "cli/map_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pothole {
namespace {

using testing::HasSubstr;
using testing::Not;

const HuntedTrace kTrace = {"made by hand", "00ff", 1000, 150, 7, 9};

MapReport made_by_hand() {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy("DTR", error);
  FeasibilityMap map;
  map.from = 100;
  map.to = 1001;
  map.executions = {{100, 200, Outcome::oom, "", 10, 3},
                    {200, 300, Outcome::ok, "", 10, 5},
                    {300, 310, Outcome::oom, "", 10, 5},
                    {310, 330, Outcome::thrashed, "", 10, 99},
                    {330, 331, Outcome::unresolved, "steps", 10, 99},
                    {331, 500, Outcome::ok, "", 10, 10},
                    {500, 900, Outcome::ok, "", 10, 0}};
  return MapReport(settings, map);
}

TEST(MapReport, JsonHasEveryFieldInOrder) {
  const auto json = nlohmann::ordered_json::parse(map_json(kTrace, {made_by_hand()}));
  EXPECT_EQ(json["trace"].dump(), R"({"name":"made by hand","sha256":"00ff","peak":1000,"operators":7,"storages":9})");
  const auto& map = json["maps"][0];
  std::vector<std::string> keys;
  for (const auto& [key, value] : map.items()) keys.push_back(key);
  const std::vector<std::string> wanted = {
      "policy",          "dealloc",    "overhead_limit", "comparison",      "range",           "coverage",
      "certified_bytes", "executions", "states_merged",  "distinct_steps",  "execution_steps", "first_success",
      "stable_from",     "segments",   "holes",          "cost_inversions", "unresolved",      "policy_errors"};
  EXPECT_EQ(keys, wanted);
  EXPECT_EQ(map["range"].dump(), "[100,1001]");
  EXPECT_EQ(map["certified_bytes"], 799);
  EXPECT_EQ(map["first_success"], 200);
  EXPECT_TRUE(map["stable_from"].is_null());
  EXPECT_EQ(map["segments"].size(), 7u);
  EXPECT_EQ(map["segments"][1].dump(), R"({"from":200,"to":300,"outcome":"ok","overhead_min":1.5,"overhead_max":1.5})");
  EXPECT_EQ(map["holes"].dump(),
            R"([{"from":300,"to":331,"oom_bytes":10,"thrashed_bytes":20,"unresolved_bytes":1,"policy_error_bytes":0,)"
            R"("ratio_from":0.3,"ratio_to":0.331,"safe_budget":299,"rounding_artefact":null}])");
  EXPECT_EQ(map["cost_inversions"].dump(),
            R"([{"from":331,"to":500,"overhead":2.0,"smaller_budget":299,"smaller_overhead":1.5}])");
  EXPECT_EQ(map["unresolved"][0].dump(), R"({"from":330,"to":331,"why":"steps"})");
  EXPECT_EQ(map["unresolved"][1]["from"], 900);
}

TEST(MapReport, ARoundingArtefactIsLabelled) {
  MapReport report = made_by_hand();
  report.settings.comparison = Comparison::naive;
  report.artefacts[0] = true;
  const auto json = nlohmann::ordered_json::parse(map_json(kTrace, {report}));
  EXPECT_EQ(json["maps"][0]["comparison"], "naive");
  EXPECT_EQ(json["maps"][0]["holes"][0]["rounding_artefact"], true);
  EXPECT_THAT(map_text(kTrace, {report}, false), HasSubstr("rounding artefact: only under comparison naive"));
  report.artefacts[0] = false;
  EXPECT_THAT(map_text(kTrace, {report}, false), Not(HasSubstr("rounding artefact")));
}

TEST(MapReport, NamesThatAreNotUtf8AreStillJson) {
  HuntedTrace trace = kTrace;
  trace.name = "\xFF.log";
  EXPECT_EQ(nlohmann::ordered_json::parse(map_json(trace, {}))["trace"]["name"], "\xEF\xBF\xBD.log");
}

TEST(MapReport, TextSaysWhatAHoleHoldsAndWhatIsOpen) {
  const std::string text = map_text(kTrace, {made_by_hand()}, false);
  EXPECT_THAT(text, HasSubstr("made by hand: 7 operators, 9 storages, peak 1000 bytes\n"));
  EXPECT_THAT(text, HasSubstr("every budget from 100 to 1000 bytes\n"));
  EXPECT_THAT(text, HasSubstr("20 B of it thrashed, 1 B of it unresolved"));
  EXPECT_THAT(text, HasSubstr("infeasible for every policy below 150 bytes: the constants alone need them"));
  EXPECT_THAT(text, HasSubstr("DTR: 102 B of budgets unresolved"));
  EXPECT_THAT(text, HasSubstr("    330 to 330: steps\n    900 to 1000: interrupted\n"));
  EXPECT_THAT(text, HasSubstr("  <= 331  >= 30 B  ")) << "the budget below 331 may complete as well";
  EXPECT_THAT(text, HasSubstr("88.67 %"));
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(map_text(kTrace, {made_by_hand()}, true).find("\033[31m"), std::string::npos);
}

TEST(MapReport, ASampledMapClaimsNothingBetweenItsBudgets) {
  const MapReport certified = made_by_hand();
  FeasibilityMap map = certified.map;
  map.why_missing = kNotSampled;
  std::erase_if(map.executions, [](const Execution& e) { return e.from == 300 || e.outcome == Outcome::unresolved; });
  const MapReport sampled(certified.settings, map, 5);
  EXPECT_EQ(nlohmann::json::parse(map_json(kTrace, {sampled}))["maps"][0]["coverage"], "sampled");
  map.executions.push_back({950, 960, Outcome::oom, "", 10, 0});
  map.executions.push_back({970, 1001, Outcome::ok, "", 10, 0});
  const std::string text = map_text(kTrace, {MapReport(certified.settings, map, 7)}, false);
  EXPECT_THAT(text, HasSubstr("sampled: 7 budgets from 100 to 1000 bytes"));
  EXPECT_THAT(text, HasSubstr("  <= 950          <= 970  >= 10 B  "));
  EXPECT_EQ(text.find("certified"), std::string::npos);
  EXPECT_EQ(text.find("not sampled"), std::string::npos) << "the heading has said so";
}

}  // namespace
}  // namespace pothole
