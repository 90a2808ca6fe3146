// The map of a policy on a trace, as `hunt`, `compare` and `gate` look for it.
#pragma once

#include <string>
#include <vector>

#include "cli/hunt_options.h"
#include "cli/map_report.h"
#include "cli/progress.h"

namespace pothole {

// A trace with the budgets that are looked at.
struct HuntJob {
  Trace trace;
  Bytes peak = 0;
  BudgetRange range;
  std::vector<Bytes> grid;  // of method grid
};

// Throws InputError.
std::vector<HuntJob> read_jobs(const std::vector<std::string>& files, bool allow_torn_tail, const HuntPlan& plan);

HuntedTrace described(const HuntJob& job);

// On the trace of the job. `keeper` may be null; `index` is the map's among its maps. The progress goes on by the share
// of the maps of all policies of the plan.
MapReport hunt_map(const HuntPlan& plan, const HuntJob& job, RunSettings settings, Progress& progress,
                   CheckpointKeeper* keeper = nullptr, std::size_t index = 0);

// A limit or an interruption left budgets out; a grid leaves them out by itself.
bool work_left(const MapReport& report);

}  // namespace pothole
