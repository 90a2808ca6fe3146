// Every way to certify gives the same map of public traces, whatever the number of threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <tuple>

#include "corpus/trace.h"
#include "engine/parallel.h"
#include "engine/search.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

struct PublicMap {
  const char* log_begins;
  std::size_t executions, holes;
};

std::optional<Program> public_program(const std::string& log_begins) {
  for (const std::filesystem::path& log : public_traces())
    if (log.filename().string().starts_with(log_begins)) return read_trace(log).program;
  return std::nullopt;
}

class ThreadsPublicMaps : public testing::TestWithParam<PublicMap> {};

TEST_P(ThreadsPublicMaps, AllMethodsAgree) {
  const std::optional<Program> program = public_program(GetParam().log_begins);
  if (!program) GTEST_SKIP() << absent(GetParam().log_begins + std::string("*.log"));
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy("DTR", error);
  const Bytes peak = peak_of(*program);
  const BudgetRange range = {budget_at_ratio(peak, 0.05), peak + 1};

  FeasibilityMap swept, swept_by_two;
  with_threads(1, [&] { swept = map_by_sweep(*program, settings, range); });
  with_threads(2, [&] { swept_by_two = map_by_sweep(*program, settings, range); });
  EXPECT_EQ(swept.executions.size(), GetParam().executions);
  EXPECT_EQ(holes_of(segments_of(swept)).size(), GetParam().holes);
  EXPECT_EQ(certified_bytes_of(swept), range.to - range.from);
  EXPECT_EQ(swept_by_two.executions, swept.executions);
  EXPECT_EQ(swept_by_two.work, swept.work);
  EXPECT_GT(swept.work.execution_steps, 10 * swept.work.distinct_steps);

  EXPECT_EQ(map_by_executions(*program, settings, range).executions, swept.executions);
  EXPECT_EQ(map_by_bisection(*program, settings, range).executions, swept.executions);
}

INSTANTIATE_TEST_SUITE_P(OfDtr, ThreadsPublicMaps,
                         testing::Values(PublicMap{"unet", 3207, 3}, PublicMap{"resnet32", 8522, 7}),
                         [](const auto& map) { return std::string(map.param.log_begins); });

// One run per execution shares no search with the sweep. It takes some policies minutes and more, which run with
// POTHOLE_LONG only.
class EveryPolicyOnPublicMaps : public testing::TestWithParam<std::tuple<const char*, std::string>> {
 protected:
  static bool is_quick(const std::string& policy) {
    const Features needs = find_policy(policy)->needs;
    return policy == "DTREqClass" || policy == "DTRLocal" || policy == "MSPS" || policy == "LargestStorage" ||
           policy == "NbhdPenalty" || policy == "ThrashPen" || needs.has(Feature::random);
  }
};

TEST_P(EveryPolicyOnPublicMaps, SweepAndSingleExecutionsAgree) {
  const auto& [log_begins, policy] = GetParam();
  const bool quick = is_quick(policy) && std::string(log_begins) == "unet";
  if (!quick && std::getenv("POTHOLE_LONG") == nullptr) GTEST_SKIP() << "long: set POTHOLE_LONG to run it";
  const std::optional<Program> program = public_program(log_begins);
  if (!program) GTEST_SKIP() << absent(std::string(log_begins) + "*.log");
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  const Bytes peak = peak_of(*program);
  const BudgetRange range = {budget_at_ratio(peak, 0.05), peak + 1};
  const FeasibilityMap swept = map_by_sweep(*program, settings, range);
  EXPECT_EQ(certified_bytes_of(swept), range.to - range.from);
  EXPECT_EQ(map_by_executions(*program, settings, range).executions, swept.executions);
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) names.emplace_back(policy.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryPolicyOnPublicMaps,
                         testing::Combine(testing::Values("unet", "resnet32"), testing::ValuesIn(policy_names())),
                         [](const auto& map) {
                           return std::string(std::get<0>(map.param)) + "_" + std::get<1>(map.param);
                         });

}  // namespace
}  // namespace pothole
