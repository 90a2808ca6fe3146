// The edges of the maps in corpus/maps, decided once more by the slow model, which shares no code with the
// merged sweep, nor with any other part of the engine that decides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "corpus/trace.h"
#include "engine/parallel.h"
#include "tests/model/slow_model.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

class SlowModelOnPublicTraces : public testing::TestWithParam<std::string> {};

// What takes the slow model long runs with `bash ci/run.sh maps` only, which sets POTHOLE_LONG.
bool is_quick(const std::string& trace) { return trace == "unet"; }

std::vector<std::string> maps() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(POTHOLE_SOURCE_DIR "/corpus/maps"))
    if (entry.path().extension() == ".json" && file_content(entry.path()).starts_with("{"))
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(SlowModelOnPublicTraces, ConfirmsBothSidesOfEveryEdge) {
  if (!is_quick(GetParam()) && std::getenv("POTHOLE_LONG") == nullptr)
    GTEST_SKIP() << "long: set POTHOLE_LONG to run it";
  const auto map = nlohmann::json::parse(
      file_content(std::filesystem::path(POTHOLE_SOURCE_DIR) / "corpus/maps" / (GetParam() + ".json")));
  const std::filesystem::path log = traces_folder() / map["trace"]["name"].get<std::string>();
  if (!std::filesystem::exists(log)) GTEST_SKIP() << absent(log.filename().string());
  const Trace trace = read_trace(log);
  ASSERT_EQ(trace.sha256, map["trace"]["sha256"]) << "the map is of another trace";

  // The first and the last byte of every segment: both sides of every edge.
  std::vector<std::pair<Bytes, std::string>> wanted;
  for (const auto& segment : map["maps"][0]["segments"]) {
    wanted.emplace_back(segment["from"].get<Bytes>(), segment["outcome"].get<std::string>());
    wanted.emplace_back(segment["to"].get<Bytes>() - 1, segment["outcome"].get<std::string>());
  }
  ASSERT_FALSE(wanted.empty());
  std::vector<Outcome> found(wanted.size());
  const SlowSettings dtr{{.name = "DTR"}, Dealloc::eager, OverheadLimit()};
  parallel_for(wanted.size(),
               [&](std::size_t i) { found[i] = run_slowly(trace.program, dtr, wanted[i].first).outcome; });
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_EQ(name_of(found[i]), wanted[i].second) << "at " << wanted[i].first;
}

INSTANTIATE_TEST_SUITE_P(Edges, SlowModelOnPublicTraces, testing::ValuesIn(maps()),
                         [](const auto& map) { return map.param; });

}  // namespace
}  // namespace pothole
