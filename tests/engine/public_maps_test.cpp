// Every way to certify gives the same map of public traces, whatever the number of threads.
#include <gtest/gtest.h>

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

class ThreadsPublicMaps : public testing::TestWithParam<PublicMap> {};

TEST_P(ThreadsPublicMaps, AllMethodsAgree) {
  std::optional<Program> program;
  for (const std::filesystem::path& log : public_traces())
    if (log.filename().string().starts_with(GetParam().log_begins)) program = read_trace(log).program;
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

}  // namespace
}  // namespace pothole
