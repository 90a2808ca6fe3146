// Equivalence classes of evicted storages (semantics section 9), what DTREqClass sums instead of
// walking the evicted neighbourhood.
//
// A class is named by its least member, so that equal partitions have equal representations. Joining
// and leaving relabel in one pass over the storages, which is a short loop over integers.
#pragma once

#include <vector>

#include "engine/units.h"

namespace pothole {

class Classes {
 public:
  Classes() = default;
  explicit Classes(std::size_t storage_count) : class_of_(storage_count, kNone), value_(storage_count, 0) {}

  // The class of an immaterial storage. One that was never material has a node of value 0.
  StorageId of(StorageId storage) const { return class_of_[storage]; }
  WideCost value(StorageId class_name) const { return value_[class_name]; }

  // A storage was issued, not yet computed.
  void add_unborn(StorageId storage) { add(storage, 0); }
  void add(StorageId storage, WideCost compute);
  void join(StorageId a, StorageId b);
  // A storage becomes material: its compute is subtracted, its class is not split.
  void remove(StorageId storage, WideCost compute);

  std::uint64_t digest() const;
  friend bool operator==(const Classes&, const Classes&) = default;

 private:
  std::vector<StorageId> class_of_;  // by storage; kNone while material
  std::vector<WideCost> value_;      // by class name; 0 where no class has the name
};

}  // namespace pothole
