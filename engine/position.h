// A place in the trace: what every execution that has come this far has in common.
#pragma once

#include <vector>

#include "engine/program.h"

namespace pothole {

// The operator that was issued and is not computed yet (semantics section 8, case a).
struct Pending {
  OperatorId op = kNone;
  Cost cost = 0;
  std::uint32_t fresh_outputs = 0;
  // The storage whose compute its aliases raised, if its cost is not 0. Of a program without crossing aliases there is
  // one at most.
  StorageId raised = kNone;
};

class Position {
 public:
  explicit Position(const Program& program)
      : compute_(program.storages().size(), 0), referenced_(program.storages().size()) {}

  // Operators 0 .. issued()-1 exist: their tensors are known and hang below their arguments.
  OperatorId issued() const { return issued_; }
  bool is_pending() const { return pending_.op != kNone; }
  const Pending& pending() const { return pending_; }

  // Sum of the costs of the distinct operators that were issued with a tensor in the storage.
  Cost compute(StorageId storage) const { return compute_[storage]; }

  // What a region that has not seen the pending operator knows: its compute, and the storages below
  // this number.
  Cost compute_before_pending(StorageId storage) const {
    return compute_[storage] - (storage == pending_.raised ? pending_.cost : 0);
  }
  StorageId storages_before_pending() const { return storages_ - pending_.fresh_outputs; }

  void issue(const Program& program, OperatorId op) {
    const Operator& o = program.operators()[op];
    issued_ = op + 1;
    pending_ = {op, o.cost, 0, kNone};
    place_ = op;
    for (TensorId t = o.first_output; t < o.first_output + o.output_count; ++t) {
      referenced_.insert(program.tensors()[t].storage);
      if (program.tensors()[t].alias) continue;
      compute_[program.tensors()[t].storage] = o.cost;
      ++pending_.fresh_outputs;
      ++storages_;
    }
    for (StorageId joined : program.joined(op)) {
      compute_[joined] += o.cost;
      if (o.cost != 0) pending_.raised = joined;
    }
  }
  void complete() {
    place_ = pending_.op + 1;
    pending_ = Pending();
  }

  // The outputs of the trace are being brought back and pinned; `index` is in Program::pins().
  void pin(const Program& program, std::uint32_t index) {
    place_ = static_cast<std::uint32_t>(program.operators().size()) + index;
  }
  // What of Program::uses() is not past: uses at this place and later ones.
  std::uint32_t place() const { return place_; }

  // A get or a release of a tensor in the storage.
  void refer(const Command& command, StorageId storage) {
    if (command.kind == Command::Kind::get) referenced_.insert(storage);
    if (command.last_reference) referenced_.erase(storage);
  }
  // Has the storage external references?
  bool referenced(StorageId storage) const { return referenced_.contains(storage); }

 private:
  std::vector<Cost> compute_;  // at most 2^62: a sum of distinct operators' costs
  BitSet referenced_;          // by storage
  std::uint32_t place_ = 0;
  OperatorId issued_ = 0;
  StorageId storages_ = 0;  // made by the operators issued so far: the first so many of the program
  Pending pending_;
};

}  // namespace pothole
