// The options of `hunt`, and what they mean once checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/checkpoint_keeper.h"
#include "cli/hunt_range.h"
#include "cli/options.h"
#include "cli/search_method.h"
#include "cli/time_limit.h"

namespace pothole {

struct HuntOptions {
  CommonOptions common;
  std::vector<std::string> traces;
  RangeOptions range;
  std::string method = "certify";
  std::string time, max_memory;
  std::optional<std::int64_t> max_steps, runs;
  CheckpointOptions checkpoint;
  bool allow_torn_tail = false;
};

// The ends of a range; `check` has them too.
void add_range_options(CLI::App& app, RangeOptions& options);

// How maps are searched for; `compare` and `gate` have them too.
void add_search_options(CLI::App& app, HuntOptions& options);

void add_hunt_options(CLI::App& app, HuntOptions& options);

// Everything that can be refused before a trace is read. Throws InputError.
struct HuntPlan {
  explicit HuntPlan(const HuntOptions& options);

  SearchMethod method;
  std::vector<RunSettings> policies;
  BudgetChoice budgets;
  SearchLimits limits;
  std::optional<Seconds> time;
};

}  // namespace pothole
