#include "engine/pool_view.h"

namespace pothole {

std::uint64_t PoolView::draw(std::uint64_t bound) {
  // Words at or above the largest multiple of the bound would favour small results.
  const std::uint64_t skewed = (0 - bound) % bound;
  std::uint64_t word;
  do {
    word = mixed(extended(seed_, state_.draws++));
  } while (word < skewed);
  return word % bound;
}

// Over the distinct classes of the immaterial direct neighbours.
WideCost PoolView::class_sum(StorageId member) const {
  MarkSet& counted = workspace_.visited;
  counted.clear();
  WideCost sum = 0;
  const auto add = [&](std::span<const Edge> edges) {
    for (const Edge& edge : edges) {
      if (edge.since >= position_.issued()) break;
      if (state_.material.contains(edge.storage)) continue;
      const StorageId name = state_.classes.of(edge.storage);
      if (counted.insert(name)) sum += state_.classes.value(name);
    }
  };
  add(program_.children(member));
  add(program_.parents(member));
  return sum;
}

// F and R walked afresh with everything issued so far, at current computes.
void PoolView::unite(StorageId member, Candidate& candidate) const {
  MarkSet& united = workspace_.united;
  united.clear();
  Tick last_access = candidate.last_access;
  const auto walk = [&](std::span<const Edge> (Program::*edges_of)(StorageId) const) {
    MarkSet& visited = workspace_.visited;
    std::vector<StorageId>& stack = workspace_.stack;
    visited.clear();
    stack.assign(1, member);
    while (!stack.empty()) {
      const StorageId from = stack.back();
      stack.pop_back();
      for (const Edge& edge : (program_.*edges_of)(from)) {
        if (edge.since >= position_.issued()) break;
        const StorageId s = edge.storage;
        if (state_.material.contains(s) || !visited.insert(s)) continue;
        stack.push_back(s);
        if (!united.insert(s)) continue;
        candidate.united += position_.compute(s);
        last_access = std::max(last_access, state_.storages[s].last_access);
      }
    }
  };
  walk(&Program::children);
  walk(&Program::parents);
  candidate.united_staleness = state_.clock - last_access;
}

}  // namespace pothole
