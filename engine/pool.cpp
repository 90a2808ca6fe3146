#include "engine/pool.h"

namespace pothole {

StorageId Pool::member(std::uint32_t i) const {
  for (StorageId storage : slots_)
    if (storage != kNone && i-- == 0) return storage;
  return kNone;
}

void Pool::append(StorageId storage, StorageTable& table) {
  constexpr std::size_t kHolesMin = 32;
  if (slots_.size() > 2 * std::size_t{size_} + kHolesMin) squeeze(table);
  table.change(storage).slot = static_cast<std::uint32_t>(slots_.size());
  slots_.push_back(storage);
  ++size_;
}

void Pool::remove(StorageId storage, StorageTable& table) {
  slots_[table[storage].slot] = kNone;
  --size_;
}

void Pool::squeeze(StorageTable& table) {
  std::uint32_t next = 0;
  for (StorageId storage : slots_) {
    if (storage == kNone) continue;
    if (table[storage].slot != next) table.change(storage).slot = next;
    slots_[next++] = storage;
  }
  slots_.resize(next);
}

bool operator==(const Pool& a, const Pool& b) {
  if (a.size_ != b.size_) return false;
  auto at = b.slots_.begin();
  for (StorageId storage : a.slots_) {
    if (storage == kNone) continue;
    while (*at == kNone) ++at;
    if (*at++ != storage) return false;
  }
  return true;
}

}  // namespace pothole
