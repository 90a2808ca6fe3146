// The third thing that releases can do (semantics section 6): banish a storage, that is, evict it for good.
//
// The older runtime of the reference does so as soon as a storage has no external reference and no tensor computed
// from it is evicted or not computed yet. Storages computed from it can then not be computed again, and are pinned. It
// is tried at the last release and whenever the storage has served as an argument.
//
// Reference: computing another output of its operator again brings a banished storage back all the same. It then fills
// memory until the policy evicts it, and nothing may use it.
#pragma once

#include <utility>
#include <vector>

#include "engine/bit_set.h"
#include "engine/units.h"

namespace pothole {

class Position;
class Program;

class Banishment {
 public:
  Banishment() = default;
  explicit Banishment(std::size_t storage_count)
      : turns_(storage_count, 0), pinned_(storage_count), evicted_again_(storage_count) {}

  bool is_banished(StorageId storage) const { return !turns_.empty() && turns_[storage] != 0; }
  // Banishing takes a storage out of the lists of its neighbours, not them out of its own.
  bool is_listed(StorageId from, StorageId neighbour) const {
    return !is_banished(neighbour) || (is_banished(from) && turns_[from] < turns_[neighbour]);
  }
  // Does the storage, which is not banished, wait for a tensor computed from it?
  bool is_waiting(StorageId storage, const Program& program, const Position& position, const BitSet& defined) const;

  void banish(StorageId storage, const Program& program);
  void on_evict(StorageId storage) {
    if (is_banished(storage)) evicted_again_.insert(storage);
  }
  // False if it was pinned before.
  bool pin(StorageId storage) {
    const bool is_new = !pinned_.contains(storage);
    pinned_.insert(storage);
    return is_new;
  }
  // The storage was passed over when a tensor was computed from it, and goes on waiting for that if it did
  // (Stepper::unlock_and_banish_arguments).
  void pass_over(StorageId storage, TensorId computed, const Program& program);

  std::uint64_t digest() const;
  friend bool operator==(const Banishment&, const Banishment&) = default;

 private:
  // A tensor of a banished storage is waited for only once that came back and was evicted again.
  bool is_waited_for(StorageId storage) const { return !is_banished(storage) || evicted_again_.contains(storage); }

  std::vector<std::uint32_t> turns_;  // by storage: it was the first, second ... to be banished; 0 if it is not
  BitSet pinned_, evicted_again_;
  // Storages with defined tensors that they wait for all the same, sorted. Such a tensor has another argument that
  // was banished, so its storage is pinned: it stays defined until it is banished.
  std::vector<std::pair<StorageId, TensorId>> passed_over_;
};

}  // namespace pothole
