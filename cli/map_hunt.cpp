#include "cli/map_hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/hole_watch.h"
#include "cli/interrupt.h"
#include "engine/parallel.h"
#include "engine/rounding.h"

namespace pothole {
namespace {

// One map: a policy on a trace.
class MapHunt {
 public:
  // `index` is the map's among those of the keeper, which may be null.
  MapHunt(const HuntPlan& plan, const HuntJob& job, const RunSettings& settings, CheckpointKeeper* keeper,
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
  const HuntJob& job_;
  const RunSettings& settings_;
  CheckpointKeeper* keeper_;
  const std::size_t index_;
  Progress& progress_;
  HoleWatch watch_;
};

}  // namespace

std::vector<HuntJob> read_jobs(const std::vector<std::string>& files, bool allow_torn_tail, const HuntPlan& plan) {
  std::vector<HuntJob> jobs;
  for (const std::string& file : files) {
    HuntJob job;
    job.trace = read_named_trace(file, {allow_torn_tail});
    job.peak = peak_of(job.trace.program);
    job.range = plan.budgets.range(job.peak, file);
    if (plan.method == SearchMethod::grid) job.grid = plan.budgets.grid(job.peak, job.range, file);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

HuntedTrace described(const HuntJob& job) {
  const Program& program = job.trace.program;
  return {job.trace.name,           job.trace.sha256,           job.peak,
          program.constant_bytes(), program.operators().size(), program.storages().size()};
}

MapReport hunt_map(const HuntPlan& plan, const HuntJob& job, RunSettings settings, Progress& progress,
                   CheckpointKeeper* keeper, std::size_t index) {
  settings.trace = job.trace.name;
  return MapHunt(plan, job, settings, keeper, index, progress).hunt();
}

bool work_left(const MapReport& report) {
  return std::any_of(report.unresolved.begin(), report.unresolved.end(),
                     [](const UnresolvedInterval& u) { return u.why != kNotSampled; });
}

}  // namespace pothole
