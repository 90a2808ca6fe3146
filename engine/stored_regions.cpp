#include "engine/stored_regions.h"

#include <algorithm>

#include "engine/hash.h"
#include "engine/position.h"
#include "engine/program.h"
#include "engine/state.h"

namespace pothole {
namespace {

using EdgesOf = std::span<const Edge> (Program::*)(StorageId) const;

bool contains(const std::vector<StorageId>& sorted, StorageId storage) {
  return std::binary_search(sorted.begin(), sorted.end(), storage);
}

bool insert(std::vector<StorageId>& sorted, StorageId storage) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), storage);
  if (at != sorted.end() && *at == storage) return false;
  sorted.insert(at, storage);
  return true;
}

void erase(std::vector<StorageId>& sorted, StorageId storage) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), storage);
  if (at != sorted.end() && *at == storage) sorted.erase(at);
}

void absorb(StoredRegion& region, StorageId storage, const StoredRegion& gained, const Position& position) {
  if (insert(region.interior, storage)) region.compute += position.compute(storage);
  for (StorageId s : gained.interior)
    if (insert(region.interior, s)) region.compute += position.compute(s);
  erase(region.frontier, storage);
  for (StorageId s : gained.frontier) insert(region.frontier, s);
}

StoredRegion rebuilt(StorageId storage, EdgesOf edges_of, const Program& program, const State& state,
                     const Position& position) {
  StoredRegion region;
  std::vector<StorageId> stack{storage};
  while (!stack.empty()) {
    const StorageId from = stack.back();
    stack.pop_back();
    for (const Edge& edge : (program.*edges_of)(from)) {
      if (edge.since >= position.issued()) break;
      if (edge.storage == storage) continue;  // Reference: a rebuild never meets its own storage
      if (state.material.contains(edge.storage)) {
        insert(region.frontier, edge.storage);
      } else if (insert(region.interior, edge.storage)) {
        region.compute += position.compute(edge.storage);
        stack.push_back(edge.storage);
      }
    }
  }
  return region;
}

std::uint64_t digest_of(const StoredRegion& region) {
  std::uint64_t digest = static_cast<std::uint64_t>(region.compute);
  for (StorageId s : region.interior) digest = extended(digest, s);
  for (StorageId s : region.frontier) digest = extended(digest, std::uint64_t{s} << 32);
  return digest;
}

}  // namespace

void StoredRegions::on_evict(StorageId storage, const Position& position) {
  const StoredRegion forward = std::move(forward_[storage]), reverse = std::move(reverse_[storage]);
  forward_[storage] = reverse_[storage] = StoredRegion();
  for (StorageId b = 0; b < forward_.size(); ++b) {
    if (b == storage) continue;
    // Reference: it walks the evicted storage's opposite frontiers. It asserts that the absorbing region
    // knows the storage; where that would fail, absorb all the same. A region that knows the storage
    // without being known to it absorbs nothing.
    if (contains(reverse.frontier, b)) absorb(forward_[b], storage, forward, position);
    if (contains(forward.frontier, b)) absorb(reverse_[b], storage, reverse, position);
  }
}

void StoredRegions::on_material(std::span<const StorageId> storages, const Program& program, const State& state,
                                const Position& position) {
  for (StorageId u : storages) {
    forward_[u] = rebuilt(u, &Program::children, program, state, position);
    reverse_[u] = rebuilt(u, &Program::parents, program, state, position);
  }
  for (StorageId u : storages) {
    const std::vector<StorageId> above = reverse_[u].frontier, below = forward_[u].frontier;
    for (StorageId b : above) forward_[b] = rebuilt(b, &Program::children, program, state, position);
    for (StorageId b : below) reverse_[b] = rebuilt(b, &Program::parents, program, state, position);
  }
}

std::uint64_t StoredRegions::digest() const {
  std::uint64_t digest = 0;
  for (StorageId s = 0; s < forward_.size(); ++s)
    digest = extended(extended(digest, digest_of(forward_[s])), digest_of(reverse_[s]));
  return digest;
}

}  // namespace pothole
