// pothole hunt: the feasibility map and the holes of one or more policies on one or more traces.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/map_hunt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

std::unique_ptr<CheckpointKeeper> keeper_for(const HuntOptions& options, const HuntPlan& plan,
                                             const std::vector<HuntJob>& jobs) {
  if (!options.checkpoint.wanted()) return nullptr;
  std::vector<CheckpointMap> maps;
  for (const HuntJob& job : jobs)
    for (const RunSettings& settings : plan.policies)
      maps.push_back(checkpoint_map(job.trace, settings, options.common.overhead_limit, job.range));
  return std::make_unique<CheckpointKeeper>(options.checkpoint, std::move(maps), plan.method == SearchMethod::certify);
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
  const std::vector<HuntJob> jobs = read_jobs(options.traces, options.allow_torn_tail, plan);
  const std::unique_ptr<CheckpointKeeper> keeper = keeper_for(options, plan, jobs);
  const TimeLimit time_limit(plan.time);
  const bool sampled = plan.method == SearchMethod::grid;
  std::vector<MapReport> results;
  for (const HuntJob& job : jobs) {
    Progress progress("hunt " + job.trace.name, {"executions", sampled ? "of budgets sampled" : "of budgets certified"},
                      options.common.quiet);
    std::vector<MapReport> maps;
    with_threads(options.common.threads, [&] {
      for (const RunSettings& settings : plan.policies)
        maps.push_back(hunt_map(plan, job, settings, progress, keeper.get(), results.size() + maps.size()));
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
