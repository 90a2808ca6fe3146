#include "tests/support/conformance.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "corpus/trace.h"

namespace pothole {
namespace {

using Json = nlohmann::json;

template <class Item>
std::vector<Item> read_lines(const std::filesystem::path& file, Item (*parse)(const Json&)) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot open " + file.string());
  std::vector<Item> items;
  for (std::string line; std::getline(in, line);) items.push_back(parse(Json::parse(line)));
  if (items.empty()) throw std::runtime_error(file.string() + " is empty");
  return items;
}

RecordedRun parse_run(const Json& j) {
  RecordedRun run;
  j.at("policy").get_to(run.policy);
  j.at("dealloc").get_to(run.dealloc);
  j.at("budget").get_to(run.budget);
  run.overhead_limit = j.at("overhead_limit").dump();  // the shortest decimal that means this double
  j.at("outcome").get_to(run.outcome);
  j.at("clock").get_to(run.clock);
  j.at("model_compute").get_to(run.model_compute);
  j.at("remat_compute").get_to(run.remat_compute);
  j.at("peak_resident").get_to(run.peak_resident);
  j.at("evictions").get_to(run.evictions);
  j.at("remats").get_to(run.remats);
  j.at("max_depth").get_to(run.max_depth);
  j.at("peak_pinned").get_to(run.peak_pinned);
  j.at("depth_at_peak_pinned").get_to(run.depth_at_peak_pinned);
  if (const Json& victims = j.at("victims"); !victims.is_null()) run.victims = victims.get<std::vector<TensorId>>();
  return run;
}

RecordedLog parse_log(const Json& j) {
  RecordedLog log;
  j.at("id").get_to(log.id);
  log.separates = j.value("separates", "");
  j.at("log").get_to(log.lines);
  j.at("peak").get_to(log.peak);
  j.at("model_compute").get_to(log.model_compute);
  j.at("constant_bytes").get_to(log.constant_bytes);
  j.at("bottleneck").get_to(log.bottleneck);
  for (const Json& run : j.at("runs")) log.runs.push_back(parse_run(run));
  return log;
}

ModelRun parse_model_run(const Json& j) {
  ModelRun run;
  j.at("trace").get_to(run.trace);
  j.at("policy").get_to(run.policy);
  j.at("dealloc").get_to(run.dealloc);
  if (const Json& ratio = j.at("ratio"); !ratio.is_null()) run.ratio = ratio.get<double>();
  j.at("budget").get_to(run.budget);
  run.overhead_limit = j.at("overhead_limit").dump();
  j.at("outcome").get_to(run.outcome);
  Measures& m = run.measures;
  j.at("clock").get_to(m.clock);
  j.at("model_compute").get_to(m.model_compute);
  j.at("remat_compute").get_to(m.remat_compute);
  j.at("peak_resident").get_to(m.peak_resident);
  j.at("evictions_by_policy").get_to(m.evictions_by_policy);
  j.at("evictions_on_release").get_to(m.evictions_on_release);
  j.at("remats").get_to(m.remats);
  j.at("max_depth").get_to(m.max_depth);
  j.at("peak_pinned").get_to(m.peak_pinned);
  j.at("depth_at_peak_pinned").get_to(m.depth_at_peak_pinned);
  if (const Json& failure = j.at("failure"); !failure.is_null())
    run.failure = Failure{failure.at("request"), failure.at("over_by"), failure.at("depth"), failure.at("pinned")};
  j.at("first_victims").get_to(run.first_victims);
  return run;
}

std::string text(std::string_view value) { return std::string(value); }
std::string text(std::int64_t value) { return std::to_string(value); }
std::string text(const std::vector<TensorId>& ids) {
  std::ostringstream out;
  for (TensorId id : ids) out << id << ' ';
  return "[ " + out.str() + "]";
}
std::string text(const std::optional<Failure>& failure) {
  if (!failure) return "none";
  return "request " + text(failure->request) + ", over by " + text(failure->over_by) + ", depth " +
         text(failure->depth) + ", pinned " + text(failure->pinned);
}
std::string text(const Certificate& c) { return "[" + text(c.lo) + ", " + text(c.hi) + ")"; }

class Differences {
 public:
  template <class Value>
  void compare(const char* field, const Value& expected, const Value& got) {
    if (expected == got) return;
    out_ += std::string("  ") + field + ": expected " + text(expected) + ", got " + text(got) + "\n";
  }

  void compare_measures(const Measures& expected, const Measures& got) {
    compare("clock", expected.clock, got.clock);
    compare("model_compute", expected.model_compute, got.model_compute);
    compare("remat_compute", expected.remat_compute, got.remat_compute);
    compare("peak_resident", expected.peak_resident, got.peak_resident);
    compare("evictions_by_policy", expected.evictions_by_policy, got.evictions_by_policy);
    compare("evictions_on_release", expected.evictions_on_release, got.evictions_on_release);
    compare("remats", expected.remats, got.remats);
    compare("max_depth", expected.max_depth, got.max_depth);
    compare("peak_pinned", expected.peak_pinned, got.peak_pinned);
    compare("depth_at_peak_pinned", expected.depth_at_peak_pinned, got.depth_at_peak_pinned);
  }

  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

template <class Run>
std::string name_of_run(const Run& run) {
  return run.policy + ", dealloc " + run.dealloc + ", overhead limit " + run.overhead_limit + ", budget " +
         std::to_string(run.budget);
}

}  // namespace

std::vector<RecordedLog> read_recorded_logs(const std::filesystem::path& file) { return read_lines(file, parse_log); }

std::vector<ModelRun> read_model_runs(const std::filesystem::path& file) { return read_lines(file, parse_model_run); }

Program program_of(const RecordedLog& log) { return read_trace_lines(log.lines, "log " + log.id).program; }

std::vector<RecordedLog> bundled_logs() {
  const std::filesystem::path folder = std::filesystem::path(POTHOLE_SOURCE_DIR) / "tests/fixtures/conformance";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<RecordedLog> logs;
  for (const auto& file : files)
    for (RecordedLog& log : read_recorded_logs(file)) logs.push_back(std::move(log));
  return logs;
}

Dealloc dealloc_of(const std::string& name) {
  for (const Dealloc dealloc : kDeallocs)
    if (name == name_of(dealloc)) return dealloc;
  throw std::runtime_error("unknown dealloc mode " + name);
}

OverheadLimit overhead_limit_of(const std::string& decimal) {
  const std::optional<OverheadLimit> limit = OverheadLimit::parse(decimal);
  if (!limit) throw std::runtime_error("overhead limit " + decimal + " was refused");
  return *limit;
}

std::string difference(const RecordedRun& expected, const RunResult& got) {
  Differences d;
  d.compare("outcome", text(expected.outcome), text(name_of(got.outcome)));
  Measures measures = got.measures;  // the record does not split the evictions
  measures.clock = expected.clock;
  measures.model_compute = expected.model_compute;
  measures.remat_compute = expected.remat_compute;
  measures.peak_resident = expected.peak_resident;
  measures.remats = expected.remats;
  measures.max_depth = expected.max_depth;
  measures.peak_pinned = expected.peak_pinned;
  measures.depth_at_peak_pinned = expected.depth_at_peak_pinned;
  d.compare_measures(measures, got.measures);
  d.compare("evictions", expected.evictions, got.measures.evictions_by_policy + got.measures.evictions_on_release);
  if (expected.victims) d.compare("victims", *expected.victims, got.victims);
  return d.take();
}

std::string difference(const ModelRun& expected, const RunResult& got) {
  Differences d;
  d.compare("outcome", text(expected.outcome), text(name_of(got.outcome)));
  d.compare_measures(expected.measures, got.measures);
  d.compare("failure", expected.failure, got.failure);
  const std::size_t first = std::min<std::size_t>(got.victims.size(), 40);
  d.compare("first victims", expected.first_victims,
            std::vector<TensorId>(got.victims.begin(), got.victims.begin() + static_cast<std::ptrdiff_t>(first)));
  return d.take();
}

namespace {

std::string text_of(const std::optional<PolicyFault>& fault) {
  return fault ? "operator " + std::to_string(fault->op) + ": " + std::string(fault->why) : "none";
}

}  // namespace

std::string difference(const RunResult& expected, const RunResult& got) {
  Differences d;
  d.compare("outcome", name_of(expected.outcome), name_of(got.outcome));
  d.compare_measures(expected.measures, got.measures);
  d.compare("failure", expected.failure, got.failure);
  d.compare("policy error", text_of(expected.fault), text_of(got.fault));
  d.compare("certificate", expected.certificate, got.certificate);
  d.compare("victims", expected.victims, got.victims);
  return d.take();
}

std::string name_of(const RecordedRun& run) { return name_of_run(run); }
std::string name_of(const ModelRun& run) { return name_of_run(run); }

}  // namespace pothole
