// What properties are checked on: a program under a policy, its feasibility map over a range of budgets, and
// runs with all their decisions. Immutable once made.
//
// A small program (peak below kSmallPeak) is run once per execution, so that what is checked of every run is
// checked of every budget. Of a larger one the map is certified, and the runs are a sample: both ends of every
// segment of the map, and budgets spread evenly over the range. A map of no more executions than that sample
// has is covered completely too.
#pragma once

#include <functional>

#include "engine/search.h"
#include "properties/property.h"

namespace pothole {

using RunFunction = std::function<RunResult(const Program&, const RunSettings&, Bytes, const RunOptions&)>;

struct CheckPlan {
  BudgetRange range;
  std::size_t sample = 64;  // budgets spread over the range of a large program
  const std::atomic<bool>* stop = nullptr;
  std::int64_t steps_max = SearchLimits::kNone;  // materializations of one execution
  // The map of the range, where it is known already. Must live while the subject is made.
  const FeasibilityMap* map = nullptr;
  // Called with executions as a search for the map finds them, from any thread.
  std::function<void(std::span<const Execution>)> on_found;
  RunFunction run = pothole::run;  // a door for tests
};

// A run that stands for all budgets of its execution.
struct CheckedRun {
  Bytes budget = 0;
  BudgetRange budgets;  // its certificate, cut to the range
  RunResult result;     // with decisions
};

class Subject {
 public:
  // The program must outlive the subject.
  Subject(const Program& program, RunSettings settings, CheckPlan plan);

  const Program& program() const { return program_; }
  const RunSettings& settings() const { return settings_; }
  BudgetRange range() const { return plan_.range; }
  const FeasibilityMap& map() const { return map_; }
  // The map has holes of knowledge between sampled budgets: its policy cannot be certified.
  bool map_is_sampled() const { return map_is_sampled_; }

  // In budget order, of different executions.
  const std::vector<CheckedRun>& runs() const { return runs_; }
  bool runs_are_sampled() const { return runs_are_sampled_; }
  // Empty, or why some runs are missing.
  std::string_view why_runs_missing() const { return why_runs_missing_; }
  bool is_small() const { return is_small_; }

  // With decisions, under the limits of the plan. The settings are the subject's, unless others are given.
  RunResult run(Bytes budget, const Schedule* schedule = nullptr) const { return run(program_, budget, schedule); }
  RunResult run(const Program& program, Bytes budget, const Schedule* schedule = nullptr) const {
    return run(settings_, program, budget, schedule);
  }
  RunResult run(const RunSettings& settings, const Program& program, Bytes budget,
                const Schedule* schedule = nullptr) const;
  // Limits of the plan for a search of one's own.
  SearchControl search_control() const;

 private:
  void run_every_execution();
  void search_map();
  std::vector<Bytes> sampled_budgets() const;
  void run_sample();
  CheckedRun checked_run(Bytes budget) const;

  const Program& program_;
  const RunSettings settings_;
  const CheckPlan plan_;
  bool is_small_ = false;
  bool map_is_sampled_ = false;
  bool runs_are_sampled_ = false;
  std::string_view why_runs_missing_;
  FeasibilityMap map_;
  std::vector<CheckedRun> runs_;
};

// The part of the range that a run certifies, as an execution of a map.
Execution execution_of(const CheckedRun& run);

}  // namespace pothole
