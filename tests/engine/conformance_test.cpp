// The engine against everything recorded of the DTR simulator, field by field, and its certificates
// against itself.
#include "tests/support/conformance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>

#include "corpus/trace.h"
#include "engine/parallel.h"
#include "engine/run.h"
#include "tests/support/any_program.h"
#include "tests/support/certificate_check.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

template <class Run>
RunSettings settings_of(const Run& run, Dealloc dealloc) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(run.policy, error);
  if (settings.policy.policy == nullptr) throw std::runtime_error(error.what);
  settings.dealloc = dealloc;
  settings.overhead_limit = overhead_limit_of(run.overhead_limit);
  return settings;
}

template <class Run>
std::string differing_fields(const Program& program, const Run& run) {
  RunOptions options;
  options.record_victims = true;
  return difference(run, pothole::run(program, settings_of(run, dealloc_of(run.dealloc)), run.budget, options));
}

// Reports the first few of a list that is empty for the most part.
void expect_none(const std::vector<std::string>& failures) {
  std::size_t shown = 0;
  for (const std::string& failure : failures)
    if (!failure.empty() && ++shown <= 20) ADD_FAILURE() << failure;
  if (shown > 20) ADD_FAILURE() << shown << " failures in all";
}

void expect_recorded_outcomes(const std::vector<RecordedLog>& logs) {
  std::vector<std::string> failures(logs.size());
  std::size_t runs = 0;
  for (const RecordedLog& log : logs) runs += log.runs.size();
  parallel_for(logs.size(), [&](std::size_t i) {
    const RecordedLog& log = logs[i];
    const Program program = program_of(log);
    if (const Bytes peak = peak_of(program); peak != log.peak)
      failures[i] +=
          "log " + log.id + ", peak: expected " + std::to_string(log.peak) + ", got " + std::to_string(peak) + "\n";
    for (const RecordedRun& run : log.runs)
      if (const std::string fields = differing_fields(program, run); !fields.empty())
        failures[i] += "log " + log.id + ", " + name_of(run) + " " + log.separates + "\n" + fields;
  });
  expect_none(failures);
  std::cout << runs << " recorded runs of " << logs.size() << " logs\n";
}

TEST(Conformance, BundledLogs) { expect_recorded_outcomes(bundled_logs()); }

TEST(Conformance, AllRandomLogs) {
  const auto file = shared_file("conformance/random-logs.jsonl");
  if (!file) GTEST_SKIP() << absent("conformance/random-logs.jsonl");
  expect_recorded_outcomes(read_recorded_logs(*file));
}

TEST(Conformance, AllDiscriminators) {
  const auto file = shared_file("conformance/discriminators.jsonl");
  if (!file) GTEST_SKIP() << absent("conformance/discriminators.jsonl");
  expect_recorded_outcomes(read_recorded_logs(*file));
}

// The public traces that are here, by file name.
std::map<std::string, Program> public_programs() {
  std::map<std::string, Program> programs;
  for (const auto& file : public_traces()) programs.emplace(file.filename().string(), read_trace(file).program);
  return programs;
}

TEST(Conformance, RunsOfPublicTraces) {
  const auto file = shared_file("conformance/model-runs.jsonl");
  if (!file) GTEST_SKIP() << absent("conformance/model-runs.jsonl");
  const std::map<std::string, Program> programs = public_programs();
  if (programs.empty()) GTEST_SKIP() << absent("the folder of public traces");

  std::vector<ModelRun> runs = read_model_runs(*file);
  const std::size_t all = runs.size();
  const auto without_trace = std::erase_if(runs, [&](const ModelRun& run) { return !programs.contains(run.trace); });
  std::map<std::string, Bytes> peaks;
  for (const auto& [name, program] : programs) peaks[name] = peak_of(program);

  std::vector<std::string> failures(runs.size());
  parallel_for(runs.size(), [&](std::size_t i) {
    const ModelRun& run = runs[i];
    if (run.ratio && budget_at_ratio(peaks.at(run.trace), *run.ratio) != run.budget)
      failures[i] += run.trace + ", " + name_of(run) + "\n  budget at the ratio: got " +
                     std::to_string(budget_at_ratio(peaks.at(run.trace), *run.ratio)) + "\n";
    if (const std::string fields = differing_fields(programs.at(run.trace), run); !fields.empty())
      failures[i] += run.trace + ", " + name_of(run) + "\n" + fields;
  });
  expect_none(failures);
  std::cout << runs.size() << " of " << all << " recorded runs; " << without_trace
            << " are of traces that are not here\n";
}

TEST(Conformance, CertificatesOfSmallLogs) {
  const std::vector<RecordedLog> logs = bundled_logs();
  std::vector<std::string> failures(logs.size());
  parallel_for(logs.size(), [&](std::size_t i) {
    const Program program = program_of(logs[i]);
    SplitMix random(i);
    for (std::size_t r = 0; r < logs[i].runs.size(); r += 5) {
      const RecordedRun& run = logs[i].runs[r];
      const RunSettings settings = settings_of(run, dealloc_of(run.dealloc));
      if (const std::string wrong = broken_certificate(program, settings, run.budget, random); !wrong.empty())
        failures[i] += "log " + logs[i].id + ", " + name_of(run) + "\n" + wrong;
    }
  });
  expect_none(failures);
}

TEST(Conformance, CertificatesOfPublicTraces) {
  const std::map<std::string, Program> programs = public_programs();
  if (programs.empty()) GTEST_SKIP() << absent("the folder of public traces");
  struct Point {
    const std::string* trace;
    const Program* program;
    const char* policy;
    double ratio;
  };
  std::vector<Point> points;
  for (const auto& [name, program] : programs)
    for (const char* policy : {"DTR", "TwoPhase", "DTREqClass", "LRU"})
      for (const double ratio : {0.35, 0.6}) points.push_back({&name, &program, policy, ratio});
  std::vector<std::string> failures(points.size());
  parallel_for(points.size(), [&](std::size_t i) {
    const Point& point = points[i];
    PolicyError error;
    RunSettings settings;
    settings.policy = configure_policy(point.policy, error);
    settings.overhead_limit = overhead_limit_of("2");
    SplitMix random(i);
    const Bytes budget = budget_at_ratio(peak_of(*point.program), point.ratio);
    const std::string wrong = broken_certificate(*point.program, settings, budget, random);
    if (!wrong.empty())
      failures[i] = *point.trace + ", " + point.policy + ", budget " + std::to_string(budget) + "\n" + wrong;
  });
  expect_none(failures);
}

}  // namespace
}  // namespace pothole
