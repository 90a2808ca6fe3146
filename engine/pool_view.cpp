#include "engine/pool_view.h"

#include <algorithm>
#include <limits>

namespace pothole {
namespace {

// Of a shortlist, in average operators of the trace.
constexpr std::int64_t kHorizon = 64;

}  // namespace

std::uint64_t PoolView::draw(std::uint64_t bound) {
  // Words at or above the largest multiple of the bound would favour small results.
  const std::uint64_t skewed = (0 - bound) % bound;
  std::uint64_t word;
  do {
    word = mixed(extended(settings_.seed, state_.draws++));
  } while (word < skewed);
  return word % bound;
}

std::int64_t PoolView::tensors_of(StorageId member) const {
  const std::span<const TensorId> all = program_.tensors_of(member);
  const auto is_issued = [&](TensorId t) { return program_.tensors()[t].op < position_.issued(); };
  return std::partition_point(all.begin(), all.end(), is_issued) - all.begin();
}

std::int64_t PoolView::children_of(StorageId member) const {
  const std::span<const Edge> all = program_.children(member);
  const auto is_issued = [&](const Edge& edge) { return edge.since < position_.issued(); };
  // Banishing takes a storage out of the lists of its neighbours.
  const auto is_listed = [&](const Edge& edge) { return state_.banishment.is_listed(member, edge.storage); };
  return std::count_if(all.begin(), std::partition_point(all.begin(), all.end(), is_issued), is_listed);
}

void PoolView::collect_all() {
  std::vector<ScanItem>& items = workspace_.items;
  items.clear();
  for (StorageId s : state_.pool.slots())
    if (s != kNone) items.push_back({0, s});
}

bool PoolView::collect_shortlisted() {
  const Shortlist& list = state_.shortlist;
  if (list.members.empty() || state_.clock > list.clock || state_.returns > list.returns ||
      state_.returned_compute > list.returned_compute)
    return false;
  std::vector<ScanItem>& items = workspace_.items;
  items.clear();
  for (const Shortlist::Member& m : list.members) {
    const StorageState& s = state_.storages[m.storage];
    // What is material and not locked is in the pool.
    if (s.stamp == m.stamp && s.locks == 0 && state_.material.contains(m.storage)) items.push_back({0, m.storage});
  }
  for (StorageId s : state_.pool.slots_from(list.stamp_end))
    if (s != kNone) items.push_back({0, s});
  return !items.empty();
}

bool PoolView::begin_shortlist() {
  Shortlist& list = state_.shortlist;
  list.members.clear();
  if (!state_.stored.empty() || size() < settings_.shortlist_from) return false;
  const Cost horizon = kHorizon * (program_.total_cost() / static_cast<Cost>(program_.operators().size()));
  if (state_.clock > std::numeric_limits<Tick>::max() - horizon ||
      state_.returned_compute > State::kReturnedComputeMax - horizon)
    return false;
  list.stamp_end = state_.pool.next_stamp();
  list.clock = state_.clock + horizon;
  list.returns = state_.returns + kHorizon;
  list.returned_compute = state_.returned_compute + horizon;
  return true;
}

void PoolView::end_shortlist() {
  std::vector<ScanItem>& items = workspace_.items;
  std::vector<double>& bounds = workspace_.bounds;
  bounds.clear();
  for (const ScanItem& item : items) bounds.push_back(item.bound);
  const auto first_left_out = bounds.begin() + settings_.shortlist_from / 3;
  std::nth_element(bounds.begin(), first_left_out, bounds.end());
  Shortlist& list = state_.shortlist;
  list.others_at_least = *first_left_out;
  for (const ScanItem& item : items)
    if (item.bound < list.others_at_least) list.members.push_back({item.storage, state_.storages[item.storage].stamp});
}

std::int64_t PoolView::next_use(StorageId member) const {
  const std::span<const std::uint32_t> uses = program_.uses(member);
  const auto next = std::lower_bound(uses.begin(), uses.end(), position_.place());
  return next == uses.end() ? Candidate::kNever : std::int64_t{*next};
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
        if (state_.material.contains(s) || !state_.banishment.is_listed(from, s) || !visited.insert(s)) continue;
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
