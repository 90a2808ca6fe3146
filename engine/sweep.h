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
#include <span>
#include <utility>
#include <vector>

#include "engine/search.h"
#include "engine/stepper.h"

namespace pothole {

class Sweep {
 public:
  // What happens while a part runs, on its thread. May be empty.
  struct Listener {
    // The part has grown: the upper half of its executions goes on as a part of its own, from where it is, on
    // whatever thread runs it.
    std::function<void(std::unique_ptr<Sweep> upper)> give_away;
    // Now and then: a time to ask what it has found and what is under way.
    std::function<void()> look;
  };

  Sweep(const Program& program, const RunSettings& settings, BudgetRange budgets, const SearchControl& control,
        std::atomic<std::int64_t>& memory);
  // Goes on with a part of an earlier sweep.
  Sweep(const Program& program, const RunSettings& settings, const SweepPart& part, const SearchControl& control,
        std::atomic<std::int64_t>& memory);

  // To the end of the trace, or until the control stops it.
  void run(const Listener& listener);

  bool ended() const { return states_.empty() && queue_.empty() && !to_restore_; }
  const SearchWork& work() const { return work_; }
  // The executions that have ended since the last call.
  std::vector<Execution> take_found() { return std::exchange(found_, {}); }
  // Of a part that runs or ran.
  SweepPart under_way() const;

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
  using Queue = std::map<Tick, std::vector<StatePtr>>;  // by clock
  class Captures;

  bool stopped() const { return control_.stop && control_.stop->load(std::memory_order_relaxed); }
  Sweep(const Program& program, const RunSettings& settings, std::vector<Branch> branches, const SearchControl& control,
        std::atomic<std::int64_t>& memory);
  Sweep(const Sweep& origin, std::vector<StatePtr> states, Queue queue);
  void start(std::vector<Branch> branches);
  bool restore();
  void replay(Captures& captures);
  bool take_states(Captures& captures);
  void capture(SweepState& s) const;
  bool past_last_place() const { return place_ == program_.commands().size() + program_.pins().size(); }
  void begin_place();
  void begin(State& state) const;
  void end_place();
  void drain_queue();
  bool advance(StatePtr s);
  bool make_room(SweepState& s);
  StatePtr split_off(SweepState& s, Bytes threshold);
  StatePtr spare_state();
  void keep_as_spare(StatePtr s);
  std::vector<StatePtr>& queued_at(Tick clock);
  void enqueue(StatePtr s);
  void merge_equal();
  bool merged_into_one_of(std::span<const StatePtr> others, SweepState& s);
  bool finish(const SweepState& s, Outcome outcome, std::string_view why, const PolicyFault& fault = {});
  void finish_beyond_step_limit(SweepState& s);
  std::unique_ptr<Sweep> upper_half();
  void shed();
  void relieve_memory();
  StatePtr part_above(StatePtr& s, Bytes cut);
  std::int64_t steps_since_shed() const { return work_.distinct_steps - steps_at_last_shed_; }
  std::int64_t steps_since_look() const { return work_.distinct_steps - steps_at_last_look_; }
  bool look_due() const { return steps_since_look() >= kStepsBetweenLooks; }
  void look();

  static constexpr std::int64_t kStepsBetweenLooks = 1 << 14;

  const Program& program_;
  const RunSettings& settings_;
  const SearchControl& control_;
  std::atomic<std::int64_t>& memory_;            // of the states of all parts
  const Listener* listener_ = nullptr;           // while running
  std::unique_ptr<const SweepPart> to_restore_;  // until run() has done so
  Captures* captures_ = nullptr;                 // while replaying
  // The place in the trace: a command, or after all commands a pin. Between begin_place() and
  // end_place() the states are in queue_, in the order of their clocks, or done with it in states_.
  std::size_t place_ = 0;
  bool begun_ = false;
  Position position_;
  Workspace workspace_;
  Stepper stepper_;
  std::int64_t steps_before_shedding_;
  std::int64_t steps_at_last_shed_ = 0, steps_at_last_look_ = 0;
  std::vector<StatePtr> states_;
  std::vector<StatePtr> spare_;  // without any part in what others share; their room is used again
  Queue queue_;
  std::vector<StatePtr> to_merge_;                            // in merge_equal() only
  std::vector<std::pair<std::uint64_t, std::size_t>> order_;  // likewise
  std::vector<Queue::node_type> spare_nodes_;                 // their room is used again
  SearchWork work_;
  std::vector<Execution> found_;
};

}  // namespace pothole
