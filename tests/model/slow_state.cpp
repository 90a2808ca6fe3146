#include "tests/model/slow_state.h"

#include <algorithm>

namespace pothole {

BigInt SlowRegion::compute() const {
  BigInt sum = 0;
  for (const auto& [storage, cost] : interior) sum += cost;
  return sum;
}

SlowState::SlowState(const Program& p)
    : program(p),
      storages(p.storages().size()),
      defined(p.tensors().size(), false),
      parents(p.tensors().size()),
      children(p.tensors().size()) {
  for (SlowStorage& storage : storages) {
    storage.evicted_class = class_values.size();
    class_values.emplace_back(0);
  }
}

void SlowState::introduce(OperatorId op) {
  const Operator& o = program.operators()[op];
  for (TensorId t = o.first_output; t < o.first_output + o.output_count; ++t) {
    const StorageId to = program.tensors()[t].storage;
    ++storages[to].references;
    storages[to].producers.insert(op);
    for (TensorId argument : program.arguments(op)) {
      const StorageId from = program.tensors()[argument].storage;
      parents[t].push_back(argument);
      children[argument].push_back(t);
      if (from == to) continue;
      storages[from].waits_for.insert(t);
      storages[from].neighbours[Direction::forward].insert(to);
      storages[to].neighbours[Direction::reverse].insert(from);
    }
  }
}

void SlowState::evict(StorageId storage) {
  storages[storage].material = false;
  ++storages[storage].evictions;
  std::erase(pool, storage);
  for (TensorId t : program.tensors_of(storage)) {
    defined[t] = false;
    for (TensorId p : parents[t])
      if (const StorageId s = program.tensors()[p].storage; s != storage) storages[s].waits_for.insert(t);
  }
  let_regions_absorb(storage);
  let_classes_merge(storage);
}

std::set<StorageId> SlowState::banish(StorageId storage) {
  const auto other = [&](TensorId t) { return program.tensors()[t].storage != storage; };
  const auto remove_one = [](std::vector<TensorId>& list, TensorId t) {
    list.erase(std::find(list.begin(), list.end(), t));
  };
  std::set<StorageId> computed_from_it;
  for (TensorId t : program.tensors_of(storage)) {
    for (TensorId p : parents[t]) {
      if (!other(p)) continue;
      storages[program.tensors()[p].storage].waits_for.erase(t);
      remove_one(children[p], t);
    }
    for (TensorId c : children[t]) {
      if (!other(c)) continue;
      remove_one(parents[c], t);
      computed_from_it.insert(program.tensors()[c].storage);
    }
  }
  for (const auto& [way, neighbours] : storages[storage].neighbours)
    for (StorageId next : neighbours) storages[next].neighbours[opposite(way)].erase(storage);
  storages[storage].banished = true;
  return computed_from_it;
}

void SlowState::compute(TensorId t) {
  const Operator& op = program.operators()[program.tensors()[t].op];
  std::vector<TensorId> in_pool_order;
  for (TensorId sibling = op.first_output; sibling < op.first_output + op.output_count; ++sibling)
    if (sibling != t) in_pool_order.push_back(sibling);
  in_pool_order.push_back(t);

  std::vector<StorageId> back;
  for (TensorId output : in_pool_order) {
    defined[output] = true;
    const StorageId storage = program.tensors()[output].storage;
    if (!storages[storage].material) back.push_back(storage);
    storages[storage].material = true;
  }
  for (StorageId storage : back) {
    if (storages[storage].locks == 0) pool.push_back(storage);
    became_material(storage);
  }
}

void SlowState::lock(StorageId storage) {
  if (storages[storage].locks++ == 0) std::erase(pool, storage);
}

void SlowState::unlock(StorageId storage) {
  if (--storages[storage].locks == 0) pool.push_back(storage);
}

Cost SlowState::compute_of(StorageId storage) const {
  Cost sum = 0;
  for (OperatorId op : storages[storage].producers) sum += program.operators()[op].cost;
  return sum;
}

void SlowState::walk(StorageId from, StorageId center, Direction way, SlowRegion& region) const {
  const auto found = storages[from].neighbours.find(way);
  if (found == storages[from].neighbours.end()) return;
  for (StorageId next : found->second) {
    if (next == center) continue;
    if (storages[next].material) {
      region.frontier.insert(next);
    } else if (region.interior.emplace(next, compute_of(next)).second) {
      walk(next, center, way, region);
    }
  }
}

SlowRegion SlowState::fresh_region(StorageId storage, Direction way) const {
  SlowRegion region;
  walk(storage, storage, way, region);
  return region;
}

void SlowState::rebuild(StorageId storage, Direction way) {
  storages[storage].regions[way] = fresh_region(storage, way);
}

void SlowState::let_regions_absorb(StorageId evicted) {
  // Reference: what absorbs are the members of the evicted storage's own opposite frontier. After a
  // crossing alias these can differ from the storages that have it in theirs; recorded runs of policies
  // that read regions never meet a member that does not, which is where the reference would abort.
  // Copies: a storage may be in its own frontier.
  std::map<Direction, SlowRegion> own = storages[evicted].regions;
  for (Direction way : {Direction::forward, Direction::reverse}) {
    const SlowRegion& gone = own[way];
    for (StorageId b : own[opposite(way)].frontier) {
      SlowRegion& region = storages[b].regions[way];
      region.interior.emplace(evicted, compute_of(evicted));
      for (const auto& [storage, then] : gone.interior) region.interior.emplace(storage, compute_of(storage));
      region.frontier.erase(evicted);
      region.frontier.insert(gone.frontier.begin(), gone.frontier.end());
    }
  }
  storages[evicted].regions.clear();
}

void SlowState::let_classes_merge(StorageId evicted) {
  const std::size_t own = class_values.size();
  class_values.emplace_back(compute_of(evicted));
  storages[evicted].evicted_class = own;
  for (const auto& [way, neighbours] : storages[evicted].neighbours) {
    for (StorageId next : neighbours) {
      const std::size_t other = storages[next].evicted_class;
      if (storages[next].material || other == own) continue;
      class_values[own] += class_values[other];
      for (SlowStorage& storage : storages)
        if (!storage.material && storage.evicted_class == other) storage.evicted_class = own;
    }
  }
}

void SlowState::became_material(StorageId storage) {
  SlowStorage& u = storages[storage];
  class_values[u.evicted_class] -= compute_of(storage);
  rebuild(storage, Direction::forward);
  rebuild(storage, Direction::reverse);
  for (StorageId above : std::set<StorageId>(u.regions[Direction::reverse].frontier))
    rebuild(above, Direction::forward);
  for (StorageId below : std::set<StorageId>(u.regions[Direction::forward].frontier))
    rebuild(below, Direction::reverse);
}

BigInt SlowState::neighbouring_classes(StorageId storage) const {
  std::set<std::size_t> classes;
  for (const auto& [way, neighbours] : storages[storage].neighbours)
    for (StorageId next : neighbours)
      if (!storages[next].material) classes.insert(storages[next].evicted_class);
  BigInt sum = 0;
  for (std::size_t c : classes) sum += class_values[c];
  return sum;
}

Bytes SlowState::pooled_bytes() const {
  Bytes sum = 0;
  for (StorageId storage : pool) sum += program.storages()[storage].size;
  return sum;
}

}  // namespace pothole
