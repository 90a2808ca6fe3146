// The pool: evictable storages in the order in which they became evictable, part of the state.
//
// An array with holes: removal leaves one, so that the scan reads memory in order instead of following
// links. A member is found by its stamp, which grows with every append; holes are squeezed out before
// they are many.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/storage_table.h"
#include "engine/units.h"

namespace pothole {

class Pool {
 public:
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // In order, kNone for a hole.
  std::span<const StorageId> slots() const { return storages_; }
  // The i-th member; i < size().
  StorageId member(std::uint32_t i) const;

  // What the next member to be appended will have as its stamp.
  std::uint64_t next_stamp() const { return next_stamp_; }
  // The slots of the members that have this stamp or a later one.
  std::span<const StorageId> slots_from(std::uint64_t stamp) const { return slots().subspan(first_slot_from(stamp)); }

  // Appending keeps the member's stamp in the table.
  void append(StorageId storage, StorageTable& table);
  void remove(StorageId storage, const StorageTable& table);

  // The same members in the same order.
  friend bool operator==(const Pool& a, const Pool& b);

 private:
  std::size_t first_slot_from(std::uint64_t stamp) const;
  void squeeze();

  std::vector<StorageId> storages_;
  std::vector<std::uint64_t> stamps_;  // of the same slots, ascending
  std::uint64_t next_stamp_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace pothole
