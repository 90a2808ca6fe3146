// Recorded outcomes of the unmodified DTR simulator: what a run must give, field by field.
//
// See tests/fixtures/conformance/README.md for where they come from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/outcome.h"
#include "engine/overhead_limit.h"
#include "engine/program.h"
#include "engine/run.h"

namespace pothole {

// One run of a small log. The counters of a run that did not complete are those at its end.
struct RecordedRun {
  std::string policy;
  std::string dealloc;
  Bytes budget = 0;
  std::string overhead_limit;  // the exact decimal
  std::string outcome;
  Tick clock = 0;
  Cost model_compute = 0, remat_compute = 0;
  Bytes peak_resident = 0;
  std::int64_t evictions = 0;  // by the policy and on release together
  std::int64_t remats = 0, max_depth = 0;
  Bytes peak_pinned = 0;
  std::int64_t depth_at_peak_pinned = 0;
  std::optional<std::vector<TensorId>> victims;  // root ids; absent where there were many
};

struct RecordedLog {
  std::string id;
  std::string separates;           // of a discriminator: the wrong reading that gives another result
  std::vector<std::string> lines;  // of the DTR log
  Bytes peak = 0;
  Cost model_compute = 0;
  Bytes constant_bytes = 0, bottleneck = 0;
  std::vector<RecordedRun> runs;
};

// One run of a public trace.
struct ModelRun {
  std::string trace;  // file name
  std::string policy;
  std::string dealloc;
  std::optional<double> ratio;  // of the trace's peak
  Bytes budget = 0;
  std::string overhead_limit;
  std::string outcome;
  Measures measures;
  std::optional<Failure> failure;
  std::vector<TensorId> first_victims;  // at most 40
};

// Both abort the test program with a message where a line has another form.
std::vector<RecordedLog> read_recorded_logs(const std::filesystem::path& file);
std::vector<ModelRun> read_model_runs(const std::filesystem::path& file);

Program program_of(const RecordedLog& log);
// All *.jsonl of tests/fixtures/conformance, which every clone has, by file name.
std::vector<RecordedLog> bundled_logs();

Dealloc dealloc_of(const std::string& name);
OverheadLimit overhead_limit_of(const std::string& decimal);

// One line for each field that differs, "field: expected X, got Y", or nothing.
std::string difference(const RecordedRun& expected, const RunResult& got);
std::string difference(const ModelRun& expected, const RunResult& got);
// Of two results of ours. The decision digests are not compared.
std::string difference(const RunResult& expected, const RunResult& got);

// For failure messages: policy, dealloc, overhead limit and budget.
std::string name_of(const RecordedRun& run);
std::string name_of(const ModelRun& run);

}  // namespace pothole
