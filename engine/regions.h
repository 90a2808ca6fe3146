// Evicted neighbourhoods evaluated lazily: the same values as the stored regions of the reference
// (semantics section 8) for every program without crossing aliases, at a small part of the price.
//
// In such a program the graph of storages is acyclic, and what a stored region has not seen is the
// pending operator only: its fresh outputs, which hang below its arguments, have no children and show
// all or none; and the compute that its aliases add to one storage. So a region's value is a walk over
// the graph without the pending operator, plus the pending operator's cost where the region has seen
// it (`seen` bits, which are state). The walk's result is cached. An eviction or a comeback reaches
// exactly the storages on the frontier of the one that moved; their values are adjusted where that is
// exact and become lower bounds elsewhere, to be walked again only if a choice depends on them.
#pragma once

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

  // `storage` is about to be evicted; it is still material.
  void on_evict(State& state, StorageId storage) const;
  // These storages are material again.
  void on_return(State& state, std::span<const StorageId> storages) const;
  // The pending operator was computed: its fresh outputs are material for the first time.
  void on_complete(State& state) const;

  // Makes the cached values of a material storage exact.
  void evaluate(State& state, StorageId storage) const;

  // The cached values as a stored region would have them, pending operator included; lower bounds
  // where the cache is.
  Cost forward(const State& state, StorageId storage) const {
    const std::uint8_t seen = state.storages[storage].seen;
    if (seen == 0) [[likely]]
      return state.storages.regions(storage).forward;
    const Pending& p = position_.pending();
    return state.storages.regions(storage).forward + (has(seen, Seen::outputs_forward) ? p.cost * p.fresh_outputs : 0) +
           (has(seen, Seen::raise_forward) ? p.cost : 0);
  }
  Cost reverse(const State& state, StorageId storage) const {
    const bool raised = has(state.storages[storage].seen, Seen::raise_reverse);
    return state.storages.regions(storage).reverse + (raised ? position_.pending().cost : 0);
  }
  std::uint32_t forward_count(const State& state, StorageId storage) const {
    const bool outputs = has(state.storages[storage].seen, Seen::outputs_forward);
    return state.storages.regions(storage).forward_count + (outputs ? position_.pending().fresh_outputs : 0);
  }
  std::uint32_t reverse_count(const State& state, StorageId storage) const {
    return state.storages.regions(storage).reverse_count;
  }

 private:
  enum class Direction { forward, reverse };

  static bool has(std::uint8_t seen, Seen bit) { return seen & static_cast<std::uint8_t>(bit); }

  template <Direction direction>
  RegionSum walk(const State& state, StorageId storage, BitSet* frontier) const;
  template <Direction direction>
  RegionSum walk_on(const State& state, BitSet* frontier) const;
  void reach(const State& state, const EdgeWord& edges, BitSet* frontier) const;
  void see(State& state, StorageId storage, Seen bit, bool value) const;
  void mark_above_outputs(const State& state) const;
  bool mark_around_raised(const State& state) const;
  void spread_seen(State& state, StorageId evicted) const;
  void renew_seen(State& state, StorageId returned) const;

  const Program& program_;
  const Position& position_;
  Workspace& workspace_;
  Features needs_;
};

}  // namespace pothole
