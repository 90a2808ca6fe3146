// The pool: evictable storages in the order in which they became evictable, part of the state.
//
// An array with holes: removal leaves one, so that the scan, which every eviction makes, reads memory in
// order instead of following links. Holes are squeezed out when they outnumber the members.
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
  std::span<const StorageId> slots() const { return slots_; }
  // The i-th member; i < size().
  StorageId member(std::uint32_t i) const;

  // Each keeps the member's slot in the table.
  void append(StorageId storage, StorageTable& table);
  void remove(StorageId storage, StorageTable& table);

  // The same members in the same order.
  friend bool operator==(const Pool& a, const Pool& b);

 private:
  void squeeze(StorageTable& table);

  std::vector<StorageId> slots_;
  std::uint32_t size_ = 0;
};

}  // namespace pothole
