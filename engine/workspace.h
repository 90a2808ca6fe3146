// Scratch memory of one thread, so that steps do not allocate. Holds nothing from one choice to the next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/reach.h"
#include "engine/stored_regions.h"
#include "engine/units.h"

namespace pothole {

// A set of storages that is emptied in constant time.
class MarkSet {
 public:
  explicit MarkSet(std::size_t storage_count) : mark_(storage_count, 0) {}

  void clear() {
    if (++epoch_ != 0) return;
    std::fill(mark_.begin(), mark_.end(), 0);
    epoch_ = 1;
  }
  bool contains(StorageId storage) const { return mark_[storage] == epoch_; }
  bool insert(StorageId storage) {
    if (mark_[storage] == epoch_) return false;
    mark_[storage] = epoch_;
    return true;
  }

 private:
  std::vector<std::uint32_t> mark_;
  std::uint32_t epoch_ = 1;
};

// A member of the pool that is being scanned.
struct ScanItem {
  double bound = 0;  // the score is not below it, rounding apart
  StorageId storage = 0;
};

struct Workspace {
  explicit Workspace(std::size_t storage_count)
      : visited(storage_count), united(storage_count), above(storage_count), below(storage_count) {}

  MarkSet visited, united;
  Reach above, below;                            // of the storage that was walked from last
  StorageId above_of = kNone, below_of = kNone;  // that storage, if nothing has moved since
  void forget_walks() { above_of = below_of = kNone; }

  std::vector<StorageId> stack;
  std::vector<StorageId> frontier;
  StoredRegion evicted_forward, evicted_reverse;
  std::vector<StorageId> returned;  // storages that have just become material
  std::vector<TensorId> redefined;  // tensors that have just become defined, if runs banish
  std::vector<ScanItem> items;
  std::vector<double> bounds;
};

}  // namespace pothole
