// The reader against logs that lie outside the repository: odd ones with what is wanted of each, the
// reference simulator's random logs, and the public traces.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "corpus/input_error.h"
#include "corpus/trace.h"
#include "tests/support/same_program.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using nlohmann::json;

// Through the native format and back.
Trace rewritten(const Trace& trace) {
  std::stringstream text;
  write_trace(text, trace);
  return read_trace(text, "rewritten");
}

void check_recorded(const std::string& file, std::size_t expected_logs) {
  const auto path = shared_file("conformance/" + file);
  if (!path) GTEST_SKIP() << absent("conformance/" + file);
  std::ifstream in(*path);
  std::size_t logs = 0;
  for (std::string line; std::getline(in, line); ++logs) {
    const json recorded = json::parse(line);
    SCOPED_TRACE(recorded["id"].dump());
    const Trace trace = read_trace_lines(recorded["log"].get<std::vector<std::string>>(), "log");
    EXPECT_EQ(trace.program.total_cost(), recorded["model_compute"]);
    EXPECT_EQ(trace.program.constant_bytes(), recorded["constant_bytes"]);
    EXPECT_EQ(trace.program.bottleneck(), recorded["bottleneck"]);
    EXPECT_TRUE(same_program(trace.program, rewritten(trace).program));
  }
  EXPECT_EQ(logs, expected_logs);
}

TEST(DtrLogShared, RandomLogsHaveTheRecordedTotals) { check_recorded("random-logs.jsonl", 400); }

TEST(DtrLogShared, DiscriminatorsHaveTheRecordedTotals) { check_recorded("discriminators.jsonl", 18); }

TEST(DtrLogShared, OddLogsAreAcceptedOrRejectedAsWanted) {
  const auto path = shared_file("edge-logs/expected.json");
  if (!path) GTEST_SKIP() << absent("edge-logs/expected.json");
  const json expected = json::parse(file_content(*path));
  EXPECT_EQ(expected.size(), 31u);
  for (const auto& [file, wanted] : expected.items()) {
    SCOPED_TRACE(file);
    const std::filesystem::path log = path->parent_path() / file;
    try {
      const Trace trace = read_trace(log);
      EXPECT_EQ(wanted["wanted"], "accept");
      EXPECT_EQ(trace.program.total_cost(), wanted.value("model_compute", std::int64_t{-1}));
      EXPECT_TRUE(same_program(trace.program, rewritten(trace).program));
    } catch (const InputError& error) {
      EXPECT_EQ(wanted["wanted"], "reject") << error.what();
      EXPECT_TRUE(error.where().starts_with(log.string() + ":")) << error.what();
    }
  }
}

TEST(DtrLogShared, PublicTracesLoadAndSurviveTheNativeFormat) {
  const auto logs = public_traces();
  if (logs.empty()) GTEST_SKIP() << absent("the folder of public traces");
  EXPECT_EQ(logs.size(), 8u);
  TemporaryFolder folder;
  for (const auto& log : logs) {
    SCOPED_TRACE(log.filename());
    const Trace trace = read_trace(log);
    EXPECT_EQ(trace.name, log.filename());
    EXPECT_EQ(trace.sha256.size(), 64u);
    EXPECT_GE(trace.program.operators().size(), 286u);
    write_trace(folder / "trace.json.zst", trace);
    const Trace again = read_trace(folder / "trace.json.zst");
    EXPECT_EQ(again.name, trace.name);
    EXPECT_TRUE(same_program(trace.program, again.program));
  }
}

}  // namespace
}  // namespace pothole
