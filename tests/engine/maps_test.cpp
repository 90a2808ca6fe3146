// Exact maps of public traces, every edge of which was confirmed on the reference simulator.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "corpus/trace.h"
#include "engine/search.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using nlohmann::json;

TEST(Maps, RecordedMapsAreReproducedToTheByte) {
  const auto file = shared_file("conformance/maps.json");
  if (!file) GTEST_SKIP() << absent("conformance/maps.json");
  const json all = json::parse(file_content(*file));
  std::size_t maps = 0, holes = 0;
  for (const json& recorded : all.at("maps")) {
    const auto log = traces_folder() / recorded.at("trace").get<std::string>();
    SCOPED_TRACE(log.filename());
    if (!std::filesystem::exists(log)) GTEST_SKIP() << absent(log.filename());
    ASSERT_EQ(recorded.at("dealloc"), "eager");
    PolicyError error;
    RunSettings settings;
    settings.policy = configure_policy(recorded.at("policy").get<std::string>(), error);
    ASSERT_NE(settings.policy.policy, nullptr) << error.what;
    settings.overhead_limit = OverheadLimit::parse(recorded.at("overhead_limit").dump()).value();
    const Program program = read_trace(log).program;
    const Bytes from = recorded.at("from"), to = recorded.at("to");
    const FeasibilityMap map = map_by_executions(program, settings, {from, to});
    json segments = json::array();
    for (const Segment& segment : segments_of(map))
      segments.push_back({segment.from, segment.to, name_of(segment.outcome)});
    EXPECT_EQ(segments, recorded.at("segments"));
    EXPECT_EQ(certified_bytes_of(map), to - from);
    EXPECT_TRUE(unresolved_of(map).empty());
    holes += holes_of(segments_of(map)).size();
    ++maps;
  }
  EXPECT_GE(maps, 1u);
  EXPECT_GE(holes, 7u);
}

}  // namespace
}  // namespace pothole
