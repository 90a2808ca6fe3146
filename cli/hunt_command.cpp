// pothole hunt: the feasibility map and the holes of one or more policies on one or more traces.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "cli/budget.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/map_report.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "corpus/input_error.h"
#include "engine/parallel.h"
#include "engine/search.h"

namespace pothole {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  pothole hunt model.log\n"
    "  pothole hunt model.log --policy DTR --policy DTREqClass --from-ratio 0.3\n"
    "  pothole hunt *.log.zst --policy LRU -j 8 --json maps.jsonl\n"
    "  pothole hunt model.log --from 900MB --to 1.2GB --quiet\n"
    "Without a range: ratio 0.05 to 1 of each trace's peak, or every budget where the peak is below 10,000 bytes.\n"
    "Both ends belong to the range.\n"
    "Exit: 0 no hole, 1 a hole was found, 2 bad input, 4 no hole but budgets left unresolved, 130 interrupted.";

constexpr double kDefaultFromRatio = 0.05;
constexpr Bytes kSmallPeak = 10'000;  // below it, the default range is every budget

struct Options {
  CommonOptions common;
  std::vector<std::string> traces;
  std::string from, to, from_ratio, to_ratio;
  bool allow_torn_tail = false;
};

// An end of the range as the user gave it: bytes, a ratio, or neither.
struct Bound {
  std::optional<Bytes> bytes;
  std::optional<double> ratio;
  std::string option;
};

struct Range {
  Bytes from = 0, to = 0;  // half-open
};

struct Job {
  Trace trace;
  Bytes peak = 0;
  Range range;
};

Bound bound_of(const std::string& bytes, const std::string& ratio, const std::string& name) {
  if (!bytes.empty() && !ratio.empty()) {
    throw InputError(name, fmt::format("cannot be combined with {}-ratio", name), "give one of the two");
  }
  if (!bytes.empty()) return {parse_budget(bytes, name), std::nullopt, name};
  if (!ratio.empty()) return {std::nullopt, parse_ratio(ratio, name + "-ratio"), name + "-ratio"};
  return {std::nullopt, std::nullopt, name};
}

Bytes bytes_of(const Bound& bound, Bytes peak, Bytes otherwise) {
  if (bound.bytes) return *bound.bytes;
  if (bound.ratio) return checked_budget_at_ratio(peak, *bound.ratio, bound.option);
  return otherwise;
}

Range range_of(const Bound& from, const Bound& to, Bytes peak, const std::string& trace) {
  const Bytes least = peak < kSmallPeak ? 1 : budget_at_ratio(peak, kDefaultFromRatio);
  const Bytes first = bytes_of(from, peak, least);
  const Bytes last = bytes_of(to, peak, std::max<Bytes>(peak, 1));
  if (first > last) {
    throw InputError(trace,
                     fmt::format("the range from {} to {} bytes is empty; the peak is {} bytes", first, last, peak),
                     "give both --from and --to, the smaller first");
  }
  return {first, last + 1};
}

std::vector<Job> read_jobs(const Options& options) {
  const Bound from = bound_of(options.from, options.from_ratio, "--from");
  const Bound to = bound_of(options.to, options.to_ratio, "--to");
  std::vector<Job> jobs;
  for (const std::string& file : options.traces) {
    Job job;
    job.trace = read_named_trace(file, {options.allow_torn_tail});
    job.peak = peak_of(job.trace.program);
    job.range = range_of(from, to, job.peak, file);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

HuntedTrace described(const Job& job) {
  const Program& program = job.trace.program;
  return {job.trace.name,           job.trace.sha256,           job.peak,
          program.constant_bytes(), program.operators().size(), program.storages().size()};
}

// The whole range is unresolved if the search was stopped before this map.
MapReport hunt_one(const Job& job, const RunSettings& settings, double share_of_map, Progress& progress) {
  const auto [from, to] = job.range;
  FeasibilityMap map;
  map.from = from;
  map.to = to;
  if (!stop_requested()) {
    progress.set_label(fmt::format("hunt {} {}", job.trace.name, settings.policy.text));
    const double share_of_byte = share_of_map / static_cast<double>(to - from);
    SearchControl control;
    control.stop = &stop_requested();
    control.on_found = [&](std::span<const Execution> executions) {
      for (const Execution& e : executions) progress.add_step(share_of_byte * static_cast<double>(e.to - e.from));
    };
    map = map_by_sweep(job.trace.program, settings, {from, to}, control);
  }
  return MapReport(settings, std::move(map));
}

ExitCode code_of(const std::vector<std::vector<MapReport>>& results) {
  const auto any = [&](auto test) {
    return std::any_of(results.begin(), results.end(),
                       [&](const auto& maps) { return std::any_of(maps.begin(), maps.end(), test); });
  };
  if (stop_requested() && any([](const MapReport& m) { return !m.unresolved.empty(); })) return ExitCode::interrupted;
  if (any([](const MapReport& m) { return !m.holes.empty(); })) return ExitCode::found;
  if (any([](const MapReport& m) { return !m.unresolved.empty(); })) return ExitCode::work_left;
  return ExitCode::nothing_found;
}

ExitCode hunt(const Options& options) {
  const std::vector<RunSettings> policies = settings_of(options.common);
  JsonReport json(options.common.json);
  const std::vector<Job> jobs = read_jobs(options);
  std::vector<std::vector<MapReport>> results;
  for (const Job& job : jobs) {
    Progress progress("hunt " + job.trace.name, "executions", options.common.quiet);
    std::vector<MapReport> maps;
    with_threads(options.common.threads, [&] {
      const double share_of_map = 1 / static_cast<double>(policies.size());
      for (const RunSettings& settings : policies) maps.push_back(hunt_one(job, settings, share_of_map, progress));
    });
    progress.finish();
    const HuntedTrace trace = described(job);
    if (json.wanted()) json.add_line(map_json(trace, maps));
    if (!json.on_output()) {
      write_output((results.empty() ? "" : "\n") + map_text(trace, maps, has_colours(Stream::output)));
      flush_output();
    }
    results.push_back(std::move(maps));
  }
  json.commit();
  const ExitCode code = code_of(results);
  if (code == ExitCode::interrupted) write_message("pothole: interrupted; above is what was certified until then\n");
  return code;
}

}  // namespace

CommandBody add_hunt_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.description("Every budget at which a policy completes or fails, and the holes among them");
  app.add_option("TRACE", options->traces, "DTR logs or native traces, also .gz or .zst; - is standard input")
      ->type_name("TRACE")
      ->required();
  app.add_option("--from", options->from, "Least budget, such as 900MB")->type_name("SIZE");
  app.add_option("--to", options->to, "Largest budget")->type_name("SIZE");
  app.add_option("--from-ratio", options->from_ratio, "Least budget as a share of the trace's peak")->type_name("R");
  app.add_option("--to-ratio", options->to_ratio, "Largest budget as a share of the trace's peak")->type_name("R");
  app.add_flag("--allow-torn-tail", options->allow_torn_tail, "Drop a torn last line of a log, and say so");
  add_run_options(app, options->common);
  add_report_options(app, options->common);
  app.footer(kExamples);
  return [options] { return hunt(*options); };
}

}  // namespace pothole
