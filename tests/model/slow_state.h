// The state of the slow model: what is defined, material, locked and pooled, and the regions and
// classes of evicted storages (semantics sections 2, 8 and 9).
//
// Everything is kept as the text says it, in sets and maps, so that it can be read against the text.
// It shares nothing with the engine but the program: the two judge each other.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "engine/program.h"

namespace pothole {

using BigInt = boost::multiprecision::cpp_int;

enum class Direction { forward, reverse };

constexpr Direction opposite(Direction way) {
  return way == Direction::forward ? Direction::reverse : Direction::forward;
}

// The evicted neighbourhood of one storage in one direction, as it was when it was last looked at.
struct SlowRegion {
  std::map<StorageId, Cost> interior;  // with the compute each storage had when it was added
  std::set<StorageId> frontier;
  BigInt compute() const;
};

struct SlowStorage {
  bool material = false;
  bool pinned = false;
  std::int64_t locks = 0;
  std::int64_t references = 0;
  std::int64_t evictions = 0;  // by the policy or on release
  Tick arrival = 0;            // the clock when it last became material
  // Of runs that banish:
  bool banished = false;
  std::set<TensorId> waits_for;                         // tensors computed from it that are evicted or not computed yet
  std::optional<Tick> last_access;                      // nothing stands for minus infinity
  std::set<OperatorId> producers;                       // distinct operators among its tensors issued so far
  std::map<Direction, std::set<StorageId>> neighbours;  // of its tensors issued so far, without itself
  std::map<Direction, SlowRegion> regions;
  std::size_t evicted_class = 0;  // meaningful while immaterial
};

class SlowState {
 public:
  explicit SlowState(const Program& program);

  // Makes the operator's tensors and edges (section 3, step 1).
  void introduce(OperatorId op);
  // The bookkeeping of section 5: also leaves the pool and changes regions and classes.
  void evict(StorageId storage);
  // Section 4, step 5, without the sums: defines t and its undefined siblings, and lets the storages
  // that became material join the pool.
  void compute(TensorId t);
  // Takes a storage that was evicted out of the graph; gives the storages computed from it, which are to be pinned.
  std::set<StorageId> banish(StorageId storage);
  void lock(StorageId storage);
  void unlock(StorageId storage);

  Cost compute_of(StorageId storage) const;
  // Rebuilt from scratch with current values; the stored one is in the storage.
  SlowRegion fresh_region(StorageId storage, Direction way) const;
  // Q of section 9.
  BigInt neighbouring_classes(StorageId storage) const;
  Bytes pooled_bytes() const;

  const Program& program;
  std::vector<SlowStorage> storages;
  std::vector<bool> defined;  // by tensor
  // By tensor, as the reference has them: once per occurrence. Banishing shortens them.
  std::vector<std::vector<TensorId>> parents, children;
  std::vector<StorageId> pool;  // in order
  std::vector<BigInt> class_values;

 private:
  void walk(StorageId from, StorageId center, Direction way, SlowRegion& region) const;
  void rebuild(StorageId storage, Direction way);
  void let_regions_absorb(StorageId evicted);
  void let_classes_merge(StorageId evicted);
  void became_material(StorageId storage);
};

}  // namespace pothole
