// The merged sweep of one part of a range: all executions of its budgets at once, as a set of states
// each of which stands for a set of budgets. A state splits where a threshold falls inside its budgets;
// two states merge where they are equal again, looked for at every materialization, so that what
// executions have in common is done once.
//
// Within one operator of the trace the state with the least clock goes first: an equal one can only
// come from a state whose clock is not later.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "engine/execution_log.h"
#include "engine/stepper.h"

namespace pothole {

class Sweep {
 public:
  // Called when the part has grown: the upper half of its executions goes on as a part of its own, from
  // where it is, on whatever thread runs it.
  using GiveAway = std::function<void(std::unique_ptr<Sweep> upper)>;

  Sweep(const Program& program, const RunSettings& settings, BudgetRange budgets, const SearchControl& control,
        ExecutionLog& log, std::atomic<std::int64_t>& memory);

  // To the end of the trace, or until the control stops it: then what was under way is missing.
  SearchWork run(const GiveAway& give_away);

 private:
  // The budgets of one execution so far. Merging keeps them apart: equal states, different histories.
  struct Branch {
    Bytes from = 0, to = 0;
    std::int64_t steps = 0;  // materializations, less those that its state counts
  };
  struct SweepState {
    State state;
    std::vector<Branch> branches;  // ascending, disjoint, not empty
    std::int64_t steps = 0;
    std::uint64_t digest = 0;

    Bytes lowest() const { return branches.front().from; }
    Bytes highest() const { return branches.back().to - 1; }
  };
  using StatePtr = std::unique_ptr<SweepState>;

  bool stopped() const { return control_.stop && control_.stop->load(std::memory_order_relaxed); }
  Sweep(const Sweep& origin, std::vector<StatePtr> states, std::map<Tick, std::vector<StatePtr>> queue);
  bool at_end() const;
  void begin_place();
  void begin(State& state) const;
  void end_place();
  void drain_queue();
  void advance(StatePtr s);
  bool make_room(SweepState& s);
  StatePtr split_off(SweepState& s, Bytes threshold) const;
  void enqueue(StatePtr s);
  void merge_equal();
  bool merged_into_one_of(std::vector<StatePtr>& others, SweepState& s);
  bool finish(const SweepState& s, Outcome outcome, std::string_view why, const PolicyFault& fault = {});
  void finish_beyond_step_limit(SweepState& s);
  std::unique_ptr<Sweep> upper_half();
  void shed();
  void relieve_memory();
  StatePtr part_above(StatePtr& s, Bytes cut) const;
  std::int64_t grown() const { return work_.distinct_steps - steps_at_last_shed_; }

  const Program& program_;
  const RunSettings& settings_;
  const SearchControl& control_;
  ExecutionLog& log_;
  std::atomic<std::int64_t>& memory_;    // of the states of all parts
  const GiveAway* give_away_ = nullptr;  // while running
  // The place in the trace: a command, or after all commands a pin. Between begin_place() and
  // end_place() the states are in queue_, in the order of their clocks, or done with it in states_.
  std::size_t place_ = 0;
  bool begun_ = false;
  Position position_;
  Workspace workspace_;
  Stepper stepper_;
  std::int64_t steps_before_shedding_;
  std::int64_t steps_at_last_shed_ = 0;
  std::vector<StatePtr> states_;
  std::map<Tick, std::vector<StatePtr>> queue_;
  SearchWork work_;
};

}  // namespace pothole
