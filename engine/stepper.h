// The transition function: how a state moves (semantics sections 3 to 6), in pieces so small that no
// piece contains two decisions. Whoever drives it asks the budget questions between pieces.
#pragma once

#include "engine/budget_window.h"
#include "engine/position.h"
#include "engine/program.h"
#include "engine/recorder.h"
#include "engine/regions.h"
#include "engine/run.h"
#include "engine/state.h"
#include "engine/workspace.h"

namespace pothole {

// A victim, or what the policy did instead of naming one.
struct Choice {
  StorageId victim = kNone;
  PolicyFault fault;
};

class Stepper {
 public:
  // `recorder` may be null. All must outlive the stepper.
  Stepper(const Program& program, const RunSettings& settings, const Position& position, Workspace& workspace,
          Recorder* recorder);

  // `memory` as for StorageTable.
  State initial(std::atomic<std::int64_t>* memory = nullptr) const;

  // The position has just issued `op`: starts its materialization.
  void begin_issue(State& state, OperatorId op) const;
  // Its frames are done.
  void end_issue(State& state, OperatorId op) const;
  // The last external reference to a storage went; the position knows.
  void release(State& state, StorageId storage) const;
  // An output at the end of the trace, which the position is at: starts bringing it back if it is undefined.
  void begin_pin(State& state, TensorId tensor) const;
  void end_pin(State& state, TensorId tensor) const;

  // On the top frame, by its phase. What returns text says why the run cannot go on, or nothing.
  std::string_view enter(State& state) const;  // enter: touches and locks arguments
  void restore(State& state) const;            // restore: goes on with one missing argument
  Bytes threshold(const State& state) const;   // make_room: the budget that fits the request now
  // make_room: the pool is not empty. `observer` may be null.
  Choice choose(State& state, BudgetWindow& window, Observer* observer = nullptr) const;
  void evict(State& state, StorageId victim) const;
  std::string_view compute(State& state) const;  // make_room: it fits. Unlocks, leaves the frame

  bool thrashed(const State& state) const {
    return settings_.overhead_limit.exceeded(state.remat_compute, program_.total_cost());
  }
  Bytes pinned_bytes(const State& state) const { return state.resident - state.pool_bytes; }

 private:
  const Operator& operator_of(TensorId tensor) const { return program_.operators()[program_.tensors()[tensor].op]; }
  StorageId storage_of(TensorId tensor) const { return program_.tensors()[tensor].storage; }

  void push_frame(State& state, TensorId tensor, bool remat) const;
  bool is_retained(StorageId storage) const { return retains_ && retained_.contains(storage); }
  void append_to_pool(State& state, StorageId storage) const;
  void remove_from_pool(State& state, StorageId storage) const;
  void lock(State& state, StorageId storage) const;
  void unlock(State& state, StorageId storage) const;
  void leave(State& state, StorageId storage) const;
  void define_outputs(State& state, TensorId tensor) const;
  void pin(State& state, StorageId storage) const;
  void unlock_and_banish_arguments(State& state, TensorId tensor) const;
  void banish_if_done_with(State& state, StorageId storage) const;
  void join_class(State& state, StorageId storage) const;

  const Program& program_;
  const RunSettings& settings_;
  const Position& position_;
  Workspace& workspace_;
  Recorder* recorder_;
  Features needs_;
  bool needs_regions_;
  bool keeps_last_access_;
  bool counts_evictions_;
  bool banishes_;
  bool retains_;
  BitSet retained_;  // by storage; empty unless any are
  Regions regions_;
};

}  // namespace pothole
