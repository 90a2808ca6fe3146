// Evicted neighbourhoods evaluated lazily: the same values as the stored regions of the reference
// (semantics section 8) for every program without crossing aliases, at a small part of the price.
//
// In such a program the graph of storages is acyclic, and what a stored region has not seen is the
// pending operator only: its fresh outputs, which hang below its arguments, have no children and show
// all or none; and the compute that its aliases add to one storage. So a region's value is a walk over
// the graph without the pending operator, plus the pending operator's cost where the region has seen
// it (`seen` bits, which are state). The walk's result is cached and becomes a lower bound when what it
// passed through changes, to be walked again only if a choice depends on it:
//
// - An eviction adds to regions. It reaches exactly the storages on the frontier of the evicted one.
// - A storage that comes back has all its parents material: they were arguments. So it leaves the
//   forward regions of its parents, with all that was reached through it, and the reverse regions of
//   whatever it is in, alone. Finding out which these are would be a walk down; instead everything that
//   has come back since a reverse sum was taken is taken off it.
#pragma once

#include <algorithm>
#include <span>

#include "engine/policy.h"
#include "engine/position.h"
#include "engine/program.h"
#include "engine/state.h"
#include "engine/workspace.h"

namespace pothole {

struct RegionSum {
  Cost compute = 0;
  std::uint32_t count = 0;
};

class Regions {
 public:
  Regions(const Program& program, const Position& position, Workspace& workspace, Features needs)
      : program_(program), position_(position), workspace_(workspace), needs_(needs) {}

  // The position has just issued an operator.
  void on_issue(State& state) const;
  // `storage` is about to be evicted; it is still material.
  void on_evict(State& state, StorageId storage) const;
  // These storages are material again.
  void on_return(State& state, std::span<const StorageId> storages) const;
  // The pending operator was computed: its fresh outputs are material for the first time.
  void on_complete(State& state) const;

  // Makes the cached values of a material storage exact.
  void evaluate(State& state, StorageId storage) const;

  // Is the cached value of a material storage exact?
  bool forward_known(const State& state, StorageId storage) const {
    return state.storages.regions(storage).forward_exact;
  }
  bool reverse_known(const State& state, StorageId storage) const {
    const RegionCache& c = state.storages.regions(storage);
    return c.reverse_exact && (c.returns == state.returns || c.reverse_count == 0);
  }

  // The least that they can be until `horizon`, for a member of the pool that stays in it.
  RegionSum forward_until(const State& state, StorageId storage) const { return walked_forward(state, storage); }
  RegionSum reverse_until(const State& state, StorageId storage, const Shortlist& horizon) const {
    const RegionSum now = walked_reverse(state, storage);
    const Cost returned = horizon.returned_compute - state.returned_compute;
    const std::int64_t returns = horizon.returns - state.returns;
    return {std::max<Cost>(now.compute - returned, 0),
            static_cast<std::uint32_t>(std::max<std::int64_t>(now.count - returns, 0))};
  }

  // The cached values as a stored region would have them, pending operator included; lower bounds
  // where they are not known.
  Cost forward(const State& state, StorageId storage) const {
    const std::uint8_t seen = state.storages[storage].seen;
    const Cost walked = state.storages.regions(storage).forward;
    if (seen == 0) [[likely]]
      return walked;
    const Pending& p = position_.pending();
    return walked + (has(seen, Seen::outputs_forward) ? p.cost * p.fresh_outputs : 0) +
           (has(seen, Seen::raise_forward) ? p.cost : 0);
  }
  Cost reverse(const State& state, StorageId storage) const {
    const bool raised = has(state.storages[storage].seen, Seen::raise_reverse);
    return walked_reverse(state, storage).compute + (raised ? position_.pending().cost : 0);
  }
  std::uint32_t forward_count(const State& state, StorageId storage) const {
    const bool outputs = has(state.storages[storage].seen, Seen::outputs_forward);
    return state.storages.regions(storage).forward_count + (outputs ? position_.pending().fresh_outputs : 0);
  }
  std::uint32_t reverse_count(const State& state, StorageId storage) const {
    return walked_reverse(state, storage).count;
  }

 private:
  enum class Direction { forward, reverse };

  static bool has(std::uint8_t seen, Seen bit) { return seen & static_cast<std::uint8_t>(bit); }

  // What has returned since it was taken may have been in it, and nothing else has left it.
  RegionSum walked_reverse(const State& state, StorageId storage) const {
    const RegionCache& c = state.storages.regions(storage);
    const std::int64_t returns = state.returns - c.returns;
    if (returns != 0 && state.returned_compute == State::kReturnedComputeMax) [[unlikely]]
      return {0, 0};
    const Cost compute = c.reverse_plus_returned - state.returned_compute;
    const std::int64_t count = c.reverse_count - returns;
    return {std::max<Cost>(compute, 0), static_cast<std::uint32_t>(std::max<std::int64_t>(count, 0))};
  }
  RegionSum walked_forward(const State& state, StorageId storage) const {
    const RegionCache& c = state.storages.regions(storage);
    return {c.forward, c.forward_count};
  }
  void keep_forward(State& state, StorageId storage, const RegionSum& sum, bool exact) const;
  void keep_reverse(State& state, StorageId storage, const RegionSum& sum, bool exact) const;
  void bound_forward(State& state, StorageId storage) const;

  template <Direction direction>
  RegionSum walk(const State& state, StorageId storage, Reach& reach) const;
  void see(State& state, StorageId storage, Seen bit, bool value) const;
  template <Direction direction>
  void join(const State& state, BitSet& set, StorageId storage) const;
  void join_around_pending(State& state, StorageId evicted) const;
  void spread_seen(State& state, StorageId evicted) const;
  void renew_seen(State& state, StorageId returned) const;
  void renew_raised_below(State& state, StorageId returned, bool was_above_raised) const;
  void forget_raised_below(State& state) const;
  bool is_pending_argument(StorageId storage) const;

  const Program& program_;
  const Position& position_;
  Workspace& workspace_;
  Features needs_;
};

}  // namespace pothole
