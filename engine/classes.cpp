#include "engine/classes.h"

#include <algorithm>
#include <utility>

#include "engine/hash.h"

namespace pothole {

void Classes::add(StorageId storage, WideCost compute) {
  class_of_[storage] = storage;
  value_[storage] = compute;
}

void Classes::join(StorageId a, StorageId b) {
  StorageId keep = class_of_[a], lose = class_of_[b];
  if (keep == lose) return;
  if (lose < keep) std::swap(keep, lose);
  value_[keep] += value_[lose];
  value_[lose] = 0;
  std::replace(class_of_.begin(), class_of_.end(), lose, keep);
}

void Classes::remove(StorageId storage, WideCost compute) {
  const StorageId name = class_of_[storage];
  class_of_[storage] = kNone;
  const WideCost left = value_[name] - compute;
  if (name != storage) {
    value_[name] = left;
    return;
  }
  value_[name] = 0;
  const auto heir = std::find(class_of_.begin(), class_of_.end(), name);
  if (heir == class_of_.end()) return;  // nobody can reach the class any more
  const auto new_name = static_cast<StorageId>(heir - class_of_.begin());
  value_[new_name] = left;
  std::replace(heir, class_of_.end(), name, new_name);
}

std::uint64_t Classes::digest() const {
  std::uint64_t digest = 0;
  for (std::size_t s = 0; s < class_of_.size(); ++s) {
    if (class_of_[s] != kNone) digest ^= mixed(s << 32 | class_of_[s]);
    if (value_[s] != 0) digest ^= mixed(mixed(s) + static_cast<std::uint64_t>(value_[s]));
  }
  return digest;
}

}  // namespace pothole
