// Everything that can change during a run, as a plain value: copy it to fork an execution, compare it
// to see whether two executions have become one.
//
// What depends on the place in the trace alone (external references, computes of storages, which
// operators were issued) is in Position and shared by all executions at that place. Region values in
// the storage table are a cache and take no part in equality. While a storage is evicted its last access is
// kept only where something can read it (Stepper::leave), so that executions which differ in nothing
// that matters are equal.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/banishment.h"
#include "engine/bit_set.h"
#include "engine/classes.h"
#include "engine/pool.h"
#include "engine/shortlist.h"
#include "engine/storage_table.h"
#include "engine/stored_regions.h"
#include "engine/units.h"

namespace pothole {

// One materialization under way (semantics section 4). The arguments that were undefined when step 3
// began are State::missing[missing_begin ...] up to the next frame's, as positions in the argument list.
struct Frame {
  enum class Phase : std::uint8_t { enter, restore, make_room };
  TensorId tensor = 0;
  std::uint32_t missing_begin = 0;
  std::uint32_t missing_next = 0;  // index into State::missing of the one being brought back
  Phase phase = Phase::enter;
  bool remat = false;
  friend bool operator==(const Frame&, const Frame&) = default;
};

struct State {
  StorageTable storages;
  // The policy was asked at least once. Until then region caches are not kept up: all are the lower
  // bound 0, and large budgets pay nothing for them.
  bool consulted = false;
  BitSet material;  // by storage
  BitSet defined;   // by tensor
  std::vector<Frame> frames;
  std::vector<std::uint32_t> missing;
  Pool pool;
  Shortlist shortlist;  // for speed only
  Bytes pool_bytes = 0;
  Bytes resident = 0;
  Tick clock = 1;
  Cost remat_compute = 0;
  std::uint64_t draws = 0;        // made by a policy that draws
  std::vector<StorageId> seeing;  // storages with `seen` bits, for clearing them
  // How many storages have come back since the beginning, and the sum of their computes, which stays at
  // kReturnedComputeMax once it is there. For region caches only.
  static constexpr Cost kReturnedComputeMax = Cost{1} << 62;
  std::int64_t returns = 0;
  Cost returned_compute = 0;
  // Evicted storages from which the pending operator's fresh outputs, or the storage that it raises, are
  // reached, and those reached from the latter. They follow from what is material. No room in them
  // unless an argument was undefined when the operator was issued.
  BitSet above_outputs, above_raised, below_raised;
  bool raise_seen_below = false;  // by the reverse regions of all storages that hang below `below_raised`
  std::vector<Tick> arrivals;     // by storage, 0 while evicted; empty unless the policy reads them
  Banishment banishment;          // empty unless releases banish
  Classes classes;                // empty unless the policy reads them
  StoredRegions stored;           // empty unless the program needs them

  // Equal states have equal futures at one position. `seeing` follows from the bits; sums of the pool
  // from its members.
  friend bool operator==(const State& a, const State& b) {
    return a.clock == b.clock && a.resident == b.resident && a.remat_compute == b.remat_compute && a.draws == b.draws &&
           a.pool == b.pool && a.frames == b.frames && a.missing == b.missing && a.material == b.material &&
           a.defined == b.defined && a.storages == b.storages && a.arrivals == b.arrivals &&
           a.banishment == b.banishment && a.classes == b.classes && a.stored == b.stored;
  }
};

// Of what equality compares but stored regions, which cost much to go through and hardly ever are all that differs.
std::uint64_t digest_of(const State& state);

}  // namespace pothole
