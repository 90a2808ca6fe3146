// pothole hunt: the feasibility map and the holes of one or more policies on one or more traces.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "cli/command.h"
#include "cli/hole_watch.h"
#include "cli/hunt_options.h"
#include "cli/interrupt.h"
#include "cli/map_report.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "engine/parallel.h"
#include "engine/rounding.h"

namespace pothole {
namespace {

struct Job {
  Trace trace;
  Bytes peak = 0;
  BudgetRange range;
  std::vector<Bytes> grid;  // of method grid
};

std::vector<Job> read_jobs(const HuntOptions& options, const HuntPlan& plan) {
  std::vector<Job> jobs;
  for (const std::string& file : options.traces) {
    Job job;
    job.trace = read_named_trace(file, {options.allow_torn_tail});
    job.peak = peak_of(job.trace.program);
    job.range = plan.budgets.range(job.peak, file);
    if (plan.method == SearchMethod::grid) job.grid = plan.budgets.grid(job.peak, job.range, file);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

HuntedTrace described(const Job& job) {
  const Program& program = job.trace.program;
  return {job.trace.name,           job.trace.sha256,           job.peak,
          program.constant_bytes(), program.operators().size(), program.storages().size()};
}

// One map: a policy on a trace.
class MapHunt {
 public:
  // `index` is the map's among those of the keeper, which may be null.
  MapHunt(const HuntPlan& plan, const Job& job, const RunSettings& settings, CheckpointKeeper* keeper,
          std::size_t index, Progress& progress)
      : plan_(plan), job_(job), settings_(settings), keeper_(keeper), index_(index), progress_(progress) {}

  MapReport hunt() {
    progress_.set_label(fmt::format("hunt {} {}", job_.trace.name, settings_.policy.label()));
    std::vector<Execution> known;
    std::vector<SweepPart> under_way;
    if (keeper_ != nullptr) {
      known = keeper_->known(index_);
      under_way = keeper_->under_way(index_);
    }
    show(known, 0);
    FeasibilityMap map = search(known, under_way);
    if (keeper_ != nullptr) map.work = keeper_->work(index_);
    if (stop_requested()) map.why_missing = interrupted() ? kInterrupted : kTimeLimit;
    const bool sampled = plan_.method == SearchMethod::grid;
    MapReport report(settings_, std::move(map), sampled ? std::optional(job_.grid.size()) : std::nullopt);
    check_rounding(report);
    return report;
  }

 private:
  // Does a hole exist under the other comparison modes?
  void check_rounding(MapReport& report) const {
    SearchControl control;
    control.stop = &stop_requested();
    control.limits = plan_.limits;
    parallel_for(report.holes.size(), [&](std::size_t i) {
      const BudgetRange hole{report.holes[i].from, report.holes[i].to};
      report.artefacts[i] = is_rounding_artefact(job_.trace.program, settings_, hole, control);
    });
  }

  // Unless the search was stopped before this map.
  FeasibilityMap search(const std::vector<Execution>& known, const std::vector<SweepPart>& under_way) {
    if (stop_requested()) {
      FeasibilityMap map;
      map.from = job_.range.from;
      map.to = job_.range.to;
      map.executions = known;
      return map;
    }
    SearchControl control;
    control.stop = &stop_requested();
    control.limits = plan_.limits;
    control.on_report = [this](const SearchReport& report) {
      if (keeper_ != nullptr) keeper_->add(index_, report);
      show(report.found, static_cast<std::int64_t>(report.found.size()));
    };
    return search_by(plan_.method, {job_.trace.program, settings_, job_.range, job_.grid, known, under_way}, control);
  }

  void show(std::span<const Execution> executions, std::int64_t steps) {
    double bytes = 0;
    for (const Execution& e : executions)
      if (is_evidence(e.outcome)) bytes += static_cast<double>(e.to - e.from);
    const double whole =
        static_cast<double>(job_.range.to - job_.range.from) * static_cast<double>(plan_.policies.size());
    progress_.add(steps, bytes / whole);
    if (plan_.method != SearchMethod::bisect) return;
    // A bisection reports from one thread at a time.
    for (const Hole& h : watch_.add(executions)) {
      progress_.say(fmt::format("pothole: hole of {} on {}: fails from {}, completes from {}, safe budget {}\n",
                                settings_.policy.label(), job_.trace.name, h.from, h.to, h.safe_budget));
    }
  }

  const HuntPlan& plan_;
  const Job& job_;
  const RunSettings& settings_;
  CheckpointKeeper* keeper_;
  const std::size_t index_;
  Progress& progress_;
  HoleWatch watch_;
};

std::unique_ptr<CheckpointKeeper> keeper_for(const HuntOptions& options, const HuntPlan& plan,
                                             const std::vector<Job>& jobs) {
  if (!options.checkpoint.wanted()) return nullptr;
  std::vector<CheckpointMap> maps;
  for (const Job& job : jobs)
    for (const RunSettings& settings : plan.policies)
      maps.push_back(checkpoint_map(job.trace, settings, options.common.overhead_limit, job.range));
  return std::make_unique<CheckpointKeeper>(options.checkpoint, std::move(maps), plan.method == SearchMethod::certify);
}

// A limit or an interruption left budgets out; a grid leaves them out by itself.
bool work_left(const MapReport& report) {
  return std::any_of(report.unresolved.begin(), report.unresolved.end(),
                     [](const UnresolvedInterval& u) { return u.why != kNotSampled; });
}

ExitCode code_of(const std::vector<MapReport>& maps) {
  const bool left = std::any_of(maps.begin(), maps.end(), work_left);
  if (left && interrupted()) return ExitCode::interrupted;
  if (std::any_of(maps.begin(), maps.end(), [](const MapReport& m) { return !m.policy_errors.empty(); }))
    return ExitCode::policy_misbehaved;
  if (std::any_of(maps.begin(), maps.end(), [](const MapReport& m) { return !m.holes.empty(); }))
    return ExitCode::found;
  return left ? ExitCode::work_left : ExitCode::nothing_found;
}

ExitCode hunt(const HuntOptions& options) {
  const HuntPlan plan(options);
  std::vector<std::string> other_files = options.traces;
  for (const std::string& file : {options.checkpoint.checkpoint, options.checkpoint.resume})
    if (!file.empty()) other_files.push_back(file);
  JsonReport json(options.common.json, other_files);
  const std::vector<Job> jobs = read_jobs(options, plan);
  const std::unique_ptr<CheckpointKeeper> keeper = keeper_for(options, plan, jobs);
  const TimeLimit time_limit(plan.time);
  const bool sampled = plan.method == SearchMethod::grid;
  std::vector<MapReport> results;
  for (const Job& job : jobs) {
    Progress progress("hunt " + job.trace.name, {"executions", sampled ? "of budgets sampled" : "of budgets certified"},
                      options.common.quiet);
    std::vector<MapReport> maps;
    with_threads(options.common.threads, [&] {
      for (RunSettings settings : plan.policies) {
        settings.trace = job.trace.name;
        const std::size_t index = results.size() + maps.size();
        maps.push_back(MapHunt(plan, job, settings, keeper.get(), index, progress).hunt());
      }
    });
    progress.finish();
    const HuntedTrace trace = described(job);
    if (json.wanted()) json.add_line(map_json(trace, maps));
    if (!json.on_output()) {
      write_output((results.empty() ? "" : "\n") + map_text(trace, maps, has_colours(Stream::output)));
      flush_output();
    }
    std::move(maps.begin(), maps.end(), std::back_inserter(results));
  }
  json.commit();
  const ExitCode code = code_of(results);
  if (code == ExitCode::interrupted) write_message("pothole: interrupted; above is what was certified until then\n");
  if (keeper) keeper->finish();
  return code;
}

}  // namespace

CommandBody add_hunt_command(CLI::App& app) {
  const auto options = std::make_shared<HuntOptions>();
  add_hunt_options(app, *options);
  return [options] { return hunt(*options); };
}

}  // namespace pothole
