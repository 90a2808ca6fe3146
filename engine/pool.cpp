#include "engine/pool.h"

#include <algorithm>

namespace pothole {

StorageId Pool::member(std::uint32_t i) const {
  for (StorageId storage : storages_)
    if (storage != kNone && i-- == 0) return storage;
  return kNone;
}

std::size_t Pool::first_slot_from(std::uint64_t stamp) const {
  return static_cast<std::size_t>(std::lower_bound(stamps_.begin(), stamps_.end(), stamp) - stamps_.begin());
}

void Pool::append(StorageId storage, StorageTable& table) {
  constexpr std::size_t kHolesMin = 16;
  if (storages_.size() > size_ + size_ / 4 + kHolesMin) squeeze();
  table.change(storage).stamp = next_stamp_;
  storages_.push_back(storage);
  stamps_.push_back(next_stamp_++);
  ++size_;
}

void Pool::remove(StorageId storage, const StorageTable& table) {
  storages_[first_slot_from(table[storage].stamp)] = kNone;
  --size_;
}

void Pool::squeeze() {
  std::size_t next = 0;
  for (std::size_t i = 0; i < storages_.size(); ++i) {
    if (storages_[i] == kNone) continue;
    storages_[next] = storages_[i];
    stamps_[next++] = stamps_[i];
  }
  storages_.resize(next);
  stamps_.resize(next);
}

bool operator==(const Pool& a, const Pool& b) {
  if (a.size_ != b.size_) return false;
  auto at = b.storages_.begin();
  for (StorageId storage : a.storages_) {
    if (storage == kNone) continue;
    while (*at == kNone) ++at;
    if (*at++ != storage) return false;
  }
  return true;
}

}  // namespace pothole
