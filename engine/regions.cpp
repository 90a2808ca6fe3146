#include "engine/regions.h"

#include <algorithm>

namespace pothole {
namespace {

// F(b) when s, a member of its frontier, is evicted: F(b) and s and F(s) united. s is new to F(b).
void grow(Cost& compute, std::uint32_t& count, bool& valid, Cost own, const RegionSum& gained, bool gained_valid) {
  if (gained_valid && gained.count == 0) {
    compute += own;
    count += 1;
    return;
  }
  const bool was_empty = valid && count == 0;
  compute = std::max(compute, gained.compute) + own;
  count = std::max(count, gained.count) + 1;
  valid = was_empty && gained_valid;
}

// F(b) when u, a member of its interior, comes back: u leaves, and with it what was reached through u
// only, which is at most F(u).
void shrink(Cost& compute, std::uint32_t& count, bool& valid, Cost own, const RegionSum& lost) {
  valid = valid && lost.count == 0;
  compute = std::max<Cost>(0, compute - own - lost.compute);
  count = count > lost.count ? count - lost.count - 1 : 0;
}

}  // namespace

// Takes up to 64 edges: those not reached before that lead to immaterial storages go on the stack, the
// others to the frontier. Storages of the pending operator and later ones do not exist yet.
inline void Regions::reach(const State& state, const EdgeWord& edges, BitSet* frontier) const {
  std::uint64_t& reached = workspace_.reached.words()[edges.word];
  const std::uint64_t fresh = edges.mask & ~reached;
  if (fresh == 0) return;
  reached |= fresh;
  const std::uint64_t material = state.material.words()[edges.word];
  if (frontier) frontier->words()[edges.word] |= fresh & material;
  const StorageId first = 64 * edges.word, limit = position_.storages_before_pending();
  std::uint64_t inside = fresh & ~material;
  if (limit < first + 64) inside &= limit <= first ? 0 : (std::uint64_t{1} << (limit - first)) - 1;
  for (; inside != 0; inside &= inside - 1)
    workspace_.stack.push_back(first + static_cast<StorageId>(std::countr_zero(inside)));
}

template <Regions::Direction direction>
RegionSum Regions::walk(const State& state, StorageId storage, BitSet* frontier) const {
  workspace_.reached.clear();
  workspace_.stack.assign(1, storage);
  RegionSum sum = walk_on<direction>(state, frontier);
  sum.compute -= position_.compute_before_pending(storage);
  --sum.count;
  return sum;
}

// From the storages on the stack, which count.
template <Regions::Direction direction>
RegionSum Regions::walk_on(const State& state, BitSet* frontier) const {
  std::vector<StorageId>& stack = workspace_.stack;
  RegionSum sum;
  while (!stack.empty()) {
    const StorageId from = stack.back();
    stack.pop_back();
    sum.compute += position_.compute_before_pending(from);
    ++sum.count;
    const auto words = direction == Direction::forward ? program_.child_words(from) : program_.parent_words(from);
    for (const EdgeWord& edges : words) reach(state, edges, frontier);
  }
  return sum;
}

void Regions::on_evict(State& state, StorageId storage) const {
  if (!state.consulted) return;  // a release; every cached value is still the lower bound 0
  if (position_.is_pending()) spread_seen(state, storage);
  const Cost own = position_.compute_before_pending(storage);
  const RegionCache& cache = state.storages.regions(storage);
  RegionSum down{cache.forward, cache.forward_count}, up{cache.reverse, cache.reverse_count};
  bool down_valid = cache.forward_valid, up_valid = cache.reverse_valid;
  workspace_.above.clear();
  workspace_.below.clear();
  if (needs_.has(Feature::forward)) {
    up = walk<Direction::reverse>(state, storage, &workspace_.above);
    up_valid = true;
  }
  if (needs_.has(Feature::reverse)) {
    down = walk<Direction::forward>(state, storage, &workspace_.below);
    down_valid = true;
  }
  workspace_.above.for_each([&](StorageId b) {
    RegionCache& c = state.storages.change_regions(b);
    grow(c.forward, c.forward_count, c.forward_valid, own, down, down_valid);
  });
  workspace_.below.for_each([&](StorageId b) {
    RegionCache& c = state.storages.change_regions(b);
    grow(c.reverse, c.reverse_count, c.reverse_valid, own, up, up_valid);
  });
}

void Regions::on_return(State& state, std::span<const StorageId> storages) const {
  if (!state.consulted && !position_.is_pending()) return;
  for (StorageId u : storages) {
    workspace_.above.clear();
    workspace_.below.clear();
    const RegionSum up = walk<Direction::reverse>(state, u, &workspace_.above);
    const RegionSum down = walk<Direction::forward>(state, u, &workspace_.below);
    if (position_.is_pending()) renew_seen(state, u);
    if (!state.consulted) continue;
    state.storages.change_regions(u) = {down.compute, up.compute, down.count, up.count, true, true};
    const Cost own = position_.compute_before_pending(u);
    workspace_.above.for_each([&](StorageId b) {
      RegionCache& c = state.storages.change_regions(b);
      shrink(c.forward, c.forward_count, c.forward_valid, own, down);
    });
    workspace_.below.for_each([&](StorageId b) {
      RegionCache& c = state.storages.change_regions(b);
      shrink(c.reverse, c.reverse_count, c.reverse_valid, own, up);
    });
  }
}

void Regions::on_complete(State& state) const {
  for (StorageId s : state.seeing) state.storages.change(s).seen = 0;
  state.seeing.clear();
  if (!state.consulted) return;
  const Operator& op = program_.operators()[position_.pending().op];
  for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t)
    if (!program_.tensors()[t].alias)
      state.storages.change_regions(program_.tensors()[t].storage) = {0, 0,    0,
                                                                      0, true, true};  // all its arguments are resident
}

void Regions::evaluate(State& state, StorageId storage) const {
  RegionCache& cache = state.storages.change_regions(storage);
  if (!cache.forward_valid && needs_.has(Feature::forward)) {
    const RegionSum sum = walk<Direction::forward>(state, storage, nullptr);
    cache.forward = sum.compute;
    cache.forward_count = sum.count;
    cache.forward_valid = true;
  }
  if (!cache.reverse_valid && needs_.has(Feature::reverse)) {
    const RegionSum sum = walk<Direction::reverse>(state, storage, nullptr);
    cache.reverse = sum.compute;
    cache.reverse_count = sum.count;
    cache.reverse_valid = true;
  }
}

void Regions::see(State& state, StorageId storage, Seen bit, bool value) const {
  const std::uint8_t before = state.storages[storage].seen;
  const auto mask = static_cast<std::uint8_t>(bit);
  const auto after = static_cast<std::uint8_t>(value ? before | mask : before & ~mask);
  if (before == after) return;
  state.storages.change(storage).seen = after;
  if (before == 0) state.seeing.push_back(storage);
}

// Material storages from which the pending operator's fresh outputs are reachable: the walk upwards
// from them, whose first edges are the arguments.
void Regions::mark_above_outputs(const State& state) const {
  workspace_.above_outputs.clear();
  if (position_.pending().fresh_outputs == 0) return;
  workspace_.reached.clear();
  workspace_.stack.clear();
  for (TensorId a : program_.arguments(position_.pending().op)) {
    const StorageId argument = program_.tensors()[a].storage;
    reach(state, {argument / 64, std::uint64_t{1} << (argument % 64)}, &workspace_.above_outputs);
  }
  walk_on<Direction::reverse>(state, &workspace_.above_outputs);
}

// Material storages whose regions hold the raised storage. False if none can, because there is no such
// storage or it is resident.
bool Regions::mark_around_raised(const State& state) const {
  const StorageId raised = position_.pending().raised;
  if (raised == kNone || state.material.contains(raised)) return false;
  workspace_.above_raised.clear();
  walk<Direction::reverse>(state, raised, &workspace_.above_raised);
  workspace_.below_raised.clear();
  walk<Direction::forward>(state, raised, &workspace_.below_raised);
  return true;
}

// An absorbing region gains what the evicted storage's region holds, the raised storage at its current
// compute; what it held already keeps its value.
void Regions::spread_seen(State& state, StorageId evicted) const {
  const bool outputs = has(state.storages[evicted].seen, Seen::outputs_forward);
  const bool around = mark_around_raised(state);
  const bool raised_below = around && workspace_.above_raised.contains(evicted);
  const bool raised_above = around && workspace_.below_raised.contains(evicted);
  if (needs_.has(Feature::forward) && (outputs || raised_below)) {
    workspace_.above.clear();
    walk<Direction::reverse>(state, evicted, &workspace_.above);
    workspace_.above.for_each([&](StorageId b) {
      if (outputs) see(state, b, Seen::outputs_forward, true);
      if (raised_below && !workspace_.above_raised.contains(b)) see(state, b, Seen::raise_forward, true);
    });
  }
  if (needs_.has(Feature::reverse) && raised_above) {
    workspace_.below.clear();
    walk<Direction::forward>(state, evicted, &workspace_.below);
    workspace_.below.for_each([&](StorageId b) {
      if (!workspace_.below_raised.contains(b)) see(state, b, Seen::raise_reverse, true);
    });
  }
  if (state.storages[evicted].seen != 0) state.storages.change(evicted).seen = 0;
}

// The regions around a storage that came back are rebuilt and see everything. Expects its frontiers in
// the workspace.
void Regions::renew_seen(State& state, StorageId returned) const {
  const BitSet &above = workspace_.above, &below = workspace_.below;
  if (needs_.has(Feature::forward)) {
    mark_above_outputs(state);
    const auto renew = [&](StorageId b) { see(state, b, Seen::outputs_forward, workspace_.above_outputs.contains(b)); };
    renew(returned);
    above.for_each(renew);
  }
  if (position_.pending().raised == kNone) return;
  const bool around = mark_around_raised(state);
  const auto renew = [&](StorageId b, bool forward, bool reverse) {
    if (forward) see(state, b, Seen::raise_forward, around && workspace_.above_raised.contains(b));
    if (reverse) see(state, b, Seen::raise_reverse, around && workspace_.below_raised.contains(b));
  };
  const bool forward = needs_.has(Feature::forward), reverse = needs_.has(Feature::reverse);
  renew(returned, forward, reverse);
  above.for_each([&](StorageId b) { renew(b, forward, false); });
  below.for_each([&](StorageId b) { renew(b, false, reverse); });
}

}  // namespace pothole
