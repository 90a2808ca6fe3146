#include "engine/stored_regions.h"

#include <algorithm>

#include "engine/position.h"
#include "engine/program.h"
#include "engine/state.h"
#include "engine/workspace.h"

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

void rebuild(StoredRegion& region, StorageId storage, EdgesOf edges_of, const Program& program, const State& state,
             const Position& position, std::vector<StorageId>& stack) {
  region.clear();
  stack.assign(1, storage);
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
}

}  // namespace

void StoredRegions::on_evict(StorageId storage, const Position& position, Workspace& workspace) {
  StoredRegion &forward = workspace.evicted_forward, &reverse = workspace.evicted_reverse;
  forward = forward_[storage];
  reverse = reverse_[storage];
  forward_[storage].clear();
  reverse_[storage].clear();
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
                                const Position& position, Workspace& workspace) {
  const auto rebuild_forward = [&](StorageId s) {
    rebuild(forward_[s], s, &Program::children, program, state, position, workspace.stack);
  };
  const auto rebuild_reverse = [&](StorageId s) {
    rebuild(reverse_[s], s, &Program::parents, program, state, position, workspace.stack);
  };
  for (StorageId u : storages) {
    rebuild_forward(u);
    rebuild_reverse(u);
  }
  std::vector<StorageId>& frontier = workspace.frontier;
  for (StorageId u : storages) {
    // No storage is on a frontier of its own, but the first loop may rebuild what the second goes by.
    const std::size_t above = reverse_[u].frontier.size();
    frontier = reverse_[u].frontier;
    frontier.insert(frontier.end(), forward_[u].frontier.begin(), forward_[u].frontier.end());
    for (std::size_t i = 0; i < frontier.size(); ++i)
      i < above ? rebuild_forward(frontier[i]) : rebuild_reverse(frontier[i]);
  }
}

}  // namespace pothole
