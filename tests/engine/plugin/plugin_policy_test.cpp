// Plugins that do as the built-in policies do, plugins that misbehave, and declarations that are refused.
#include "engine/plugin/plugin_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "corpus/trace.h"
#include "engine/plugin/guarded_call.h"
#include "engine/search.h"
#include "tests/support/conformance.h"
#include "tests/support/plugins.h"

namespace pothole {
namespace {

using testing::HasSubstr;

RunSettings plugin_settings(const std::string& name, std::optional<std::string> parameters = {},
                            std::chrono::nanoseconds limit = std::chrono::seconds(60)) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_plugin({plugin_file(name), "0a", std::move(parameters), limit}, error);
  EXPECT_NE(settings.policy.policy, nullptr) << name << " " << error.what;
  return settings;
}

RunSettings built_in_settings(const std::string& text) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(text, error);
  return settings;
}

Program small_program() { return read_trace(POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log").program; }

// At 16 bytes a policy is first asked at operator 3, with a pool of 2 storages; at 10 to 15 at operator 2, with one.
RunResult small_run(const RunSettings& settings, Bytes budget = 16) { return run(small_program(), settings, budget); }

// The plugin decides as the built-in policy does, at the budgets that were recorded of it or of another one.
void expect_same_runs(RunSettings plugin, RunSettings built_in) {
  std::size_t victims = 0;
  for (const RecordedLog& log : bundled_logs()) {
    const Program program = program_of(log);
    for (const RecordedRun& recorded : log.runs) {
      if (recorded.policy != "DTR") continue;
      plugin.dealloc = built_in.dealloc = dealloc_of(recorded.dealloc);
      plugin.overhead_limit = built_in.overhead_limit = overhead_limit_of(recorded.overhead_limit);
      const RunResult got = run(program, plugin, recorded.budget, {.record_victims = true});
      const RunResult expected = run(program, built_in, recorded.budget, {.record_victims = true});
      EXPECT_EQ(got.victims, expected.victims) << log.id << " " << name_of(recorded);
      EXPECT_EQ(got.outcome, expected.outcome) << log.id << " " << name_of(recorded);
      EXPECT_EQ(got.measures, expected.measures) << log.id << " " << name_of(recorded);
      victims += got.victims.size();
    }
  }
  EXPECT_GT(victims, 200u);
}

TEST(ThreadsPlugins, APluginThatDrawsIsRandomStorage) {
  RunSettings plugin = plugin_settings("random"), built_in = built_in_settings("RandomStorage");
  plugin.seed = built_in.seed = 5;
  expect_same_runs(plugin, built_in);
}

TEST(ThreadsPlugins, APluginThatAsksAboutTheBudgetIsTwoPhase) {
  expect_same_runs(plugin_settings("two_phase"), built_in_settings("TwoPhase"));
  expect_same_runs(plugin_settings("two_phase", "k=2"), built_in_settings("TwoPhase@k=2"));
}

TEST(ThreadsPlugins, AScoreIsScannedAsTheReferenceScans) {
  expect_same_runs(plugin_settings("libmydtr"), built_in_settings("DTR"));
}

bool same_segment(const Segment& a, const Segment& b) {
  return a.from == b.from && a.to == b.to && a.outcome == b.outcome && a.overhead_min == b.overhead_min &&
         a.overhead_max == b.overhead_max;
}

// Whatever is asked about the budget: every budget is certified, by both methods alike.
TEST(ThreadsPlugins, MapsAreCertifiedAsThoseOfBuiltInPolicies) {
  const std::vector<std::pair<std::string, std::string>> pairs = {{"two_phase", "TwoPhase"}, {"libmydtr", "DTR"}};
  for (const auto& [name, built_in] : pairs) {
    const RunSettings plugin = plugin_settings(name), standard = built_in_settings(built_in);
    EXPECT_EQ(why_not_certifiable(plugin), "");
    std::size_t logs = 0;
    for (const RecordedLog& log : bundled_logs()) {
      if (log.peak > 4000 || ++logs > 20) continue;
      const Program program = program_of(log);
      const BudgetRange range{1, log.peak + 2};
      const FeasibilityMap map = map_by_sweep(program, plugin, range);
      EXPECT_EQ(certified_bytes_of(map), range.to - range.from) << name << " " << log.id;
      const auto segments = segments_of(map), expected = segments_of(map_by_executions(program, standard, range));
      EXPECT_TRUE(std::equal(segments.begin(), segments.end(), expected.begin(), expected.end(), same_segment))
          << name << " " << log.id;
      EXPECT_EQ(map.executions, map_by_executions(program, plugin, range).executions) << name << " " << log.id;
    }
    EXPECT_GT(logs, 5u);
  }
}

TEST(ThreadsPlugins, MisbehaviourIsAPolicyErrorWithItsOperator) {
  struct Case {
    std::string name;
    std::optional<std::string> parameters;
    std::string why;
  };
  const Case cases[] = {{"not_a_number", "most=0", "a score is not a number"},
                        {"throws", {}, "threw an exception: no idea"},
                        {"outside", {}, "chose member 2 of a pool of 2"},
                        {"no_victim", {}, "named no storage"},
                        {"undeclared", "what=0", "asks about the budget without declaring POTHOLE_BUDGET"},
                        {"undeclared", "what=1", "draws without declaring POTHOLE_RANDOM"},
                        {"undeclared", "what=2", "looks at member 3 of a pool of 2"}};
  for (const Case& c : cases) {
    const RunSettings settings = plugin_settings(c.name, c.parameters);
    const RunResult result = small_run(settings);
    EXPECT_EQ(result.outcome, Outcome::policy_error) << c.name;
    ASSERT_TRUE(result.fault) << c.name;
    EXPECT_EQ(result.fault->why, c.why);
    EXPECT_EQ(result.fault->op, 3u) << c.name;
    // It spoils the budgets at which it is asked, and no others.
    EXPECT_EQ(small_run(settings, 17).outcome, Outcome::ok) << c.name;
    const FeasibilityMap map = map_by_sweep(small_program(), settings, {1, 18});
    EXPECT_EQ(map.executions, map_by_executions(small_program(), settings, {1, 18}).executions) << c.name;
    EXPECT_EQ(policy_errors_of(map).front().fault.why.empty(), false) << c.name;
    EXPECT_EQ(segments_of(map).back().outcome, Outcome::ok) << c.name;
  }
  // Whatever is thrown.
  EXPECT_EQ(small_run(plugin_settings("throws"), 13).fault.value().why, "threw an exception");
}

TEST(ThreadsPlugins, AChoiceThatIsNotMadeInTimeIsAPolicyErrorThreeTimes) {
  for (const char* name : {"endless", "endless_questions"}) {
    const int before = companions_left_behind();
    const RunSettings settings = plugin_settings(name, {}, std::chrono::milliseconds(50));
    for (int i = 0; i < 5; ++i) {
      const RunResult result = small_run(settings);
      EXPECT_EQ(result.outcome, Outcome::policy_error);
      EXPECT_EQ(result.fault.value().why,
                i < 3 ? "did not return within 0.05 s" : "was not asked, as it had not returned three times");
    }
    EXPECT_EQ(companions_left_behind(), before + 3);
    EXPECT_EQ(small_run(settings, 17).outcome, Outcome::ok);
  }
}

TEST(Plugins, DeclarationsThatAreNotValidAreRefused) {
  const char* const problems[] = {"was built for version 2 of pothole_policy.h, this is version 1",
                                  "declares features that there are not: 64",
                                  "has no name",
                                  "has the name 'DTR', which is a policy of pothole's own",
                                  "has the name 'a name', which is not a letter and then letters, digits, '_' or '-'",
                                  "has a sentence that is not one line of at most 300 bytes",
                                  "has neither score nor choose",
                                  "has the parameter 'a', whose standard is not from its least to its most",
                                  "has the parameter 'a' twice",
                                  "has the parameter 'b', whose standard is not a whole number",
                                  "has no help of parameter 'c'",
                                  "declares 9 parameters, more than 8",
                                  "has both score and choose"};
  for (std::size_t i = 0; i < std::size(problems); ++i) {
    PolicyError error;
    const std::string file = plugin_file("declaration_" + std::to_string(i));
    EXPECT_EQ(configure_plugin({file, "0a", {}}, error).policy, nullptr) << i;
    EXPECT_EQ(error.what, problems[i]);
    EXPECT_THAT(error.fix, HasSubstr("pothole")) << i;
  }
  PolicyError error;
  EXPECT_EQ(configure_plugin({plugin_file("missing_symbol"), "0a", {}}, error).policy, nullptr);
  EXPECT_EQ(error.what, "has no symbol pothole_policy_plugin");
}

TEST(Plugins, AreNamedByAllThatDecides) {
  const ConfiguredPolicy standard = plugin_settings("two_phase").policy,
                         given = plugin_settings("two_phase", "k=2").policy;
  EXPECT_EQ(standard.text, "PluginTwoPhase@k=8 (sha256 0a)");
  EXPECT_EQ(standard.label(), "PluginTwoPhase");
  EXPECT_EQ(given.text, "PluginTwoPhase@k=2 (sha256 0a)");
  EXPECT_EQ(given.label(), "PluginTwoPhase@k=2");
  EXPECT_EQ(standard, plugin_settings("two_phase", "k=8").policy);
  EXPECT_NE(standard, given);
  EXPECT_TRUE(is_other_file_of_plugin(standard.text, "PluginTwoPhase@k=8 (sha256 0b)"));
  EXPECT_FALSE(is_other_file_of_plugin(standard.text, standard.text));
  EXPECT_FALSE(is_other_file_of_plugin(standard.text, "PluginTwoPhase@k=2 (sha256 0b)"));
  EXPECT_FALSE(is_other_file_of_plugin("DTR", "LRU"));
}

TEST(Plugins, ParametersAreCheckedByTheDeclaration) {
  for (const auto& [parameters, fix] :
       {std::pair("k=0", "give a whole number from 1 to 1e+06 (of the largest)"),
        std::pair("kk=1", "PluginTwoPhase has: k"), std::pair("", "PluginTwoPhase has: k")}) {
    PolicyError error;
    EXPECT_EQ(configure_plugin({plugin_file("two_phase"), "0a", parameters}, error).policy, nullptr) << parameters;
    EXPECT_EQ(error.fix, fix);
  }
}

}  // namespace
}  // namespace pothole
