// DTR's exact map over every budget from 1 to the peak for each odd log that is accepted.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "corpus/trace.h"
#include "engine/search.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using nlohmann::json;

json segments_as_json(const FeasibilityMap& map) {
  json segments = json::array();
  for (const Segment& segment : segments_of(map))
    segments.push_back({segment.from, segment.to, name_of(segment.outcome)});
  return segments;
}

TEST(EdgeLogs, EveryAcceptedLogHasTheExpectedPeakAndMap) {
  const auto file = shared_file("edge-logs/expected.json");
  if (!file) GTEST_SKIP() << absent("edge-logs/expected.json");
  RunSettings settings;
  settings.policy.policy = find_policy("DTR");
  const json expected = json::parse(file_content(*file));
  int accepted = 0, maps = 0;
  for (const auto& [name, wanted] : expected.items()) {
    if (wanted.at("wanted") != "accept") continue;
    SCOPED_TRACE(name);
    const Program program = read_trace(file->parent_path() / name).program;
    const Bytes peak = wanted.at("peak");
    EXPECT_EQ(peak_of(program), peak);
    EXPECT_EQ(program.total_cost(), wanted.at("model_compute"));
    ++accepted;
    if (!wanted.contains("DTR_map")) continue;
    EXPECT_EQ(segments_as_json(map_by_executions(program, settings, {1, peak + 1})), wanted.at("DTR_map"));
    ++maps;
  }
  EXPECT_GE(accepted, 10);
  EXPECT_GE(maps, 8);
}

}  // namespace
}  // namespace pothole
