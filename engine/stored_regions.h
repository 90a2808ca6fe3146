// Evicted neighbourhoods kept as explicit sets, exactly as the reference keeps them (semantics section
// 8): the definition, at the price of every region rebuilt whenever it may have changed.
//
// Used for programs in which regions are not a function of what is resident now: an aliasing operator
// with arguments in other storages adds edges that existing regions see only once they are rebuilt.
// Also used where sums could pass 64 bits. All others use lazy regions (regions.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/units.h"

namespace pothole {

class Program;
struct State;
struct Workspace;
class Position;

// One direction of one storage's evicted neighbourhood. Sets are sorted.
struct StoredRegion {
  std::vector<StorageId> interior;  // immaterial storages
  std::vector<StorageId> frontier;  // material storages first met
  WideCost compute = 0;             // each storage of the interior entered with its compute at that time
  void clear() {
    interior.clear();
    frontier.clear();
    compute = 0;
  }
  friend bool operator==(const StoredRegion&, const StoredRegion&) = default;
};

class StoredRegions {
 public:
  StoredRegions() = default;
  explicit StoredRegions(std::size_t storage_count) : forward_(storage_count), reverse_(storage_count) {}

  bool empty() const { return forward_.empty(); }
  const StoredRegion& forward(StorageId storage) const { return forward_[storage]; }
  const StoredRegion& reverse(StorageId storage) const { return reverse_[storage]; }

  // `storage` is about to be evicted; computes are the current ones of the position.
  void on_evict(StorageId storage, const Position& position, Workspace& workspace);
  // These storages have just become material, in the order in which they join the pool.
  void on_material(std::span<const StorageId> storages, const Program& program, const State& state,
                   const Position& position, Workspace& workspace);

  friend bool operator==(const StoredRegions&, const StoredRegions&) = default;

 private:
  std::vector<StoredRegion> forward_, reverse_;  // by storage
};

}  // namespace pothole
