#include "engine/regions.h"

#include <algorithm>

namespace pothole {
namespace {

constexpr std::uint32_t kCountMask = (std::uint32_t{1} << 31) - 1;  // no program has so many storages

// F(b) when s, a member of its frontier, is evicted: F(b) and s and F(s) united. s is new to F(b). True if
// the sum is exact, given that both were.
bool grow(RegionSum& sum, Cost own, const RegionSum& gained) {
  const bool exact = sum.count == 0 || gained.count == 0;
  sum.compute = std::max(sum.compute, gained.compute) + own;
  sum.count = std::max(sum.count, gained.count) + 1;
  return exact;
}

}  // namespace

// Of the evicted storages around one. Storages of the pending operator and later ones do not exist yet.
template <Regions::Direction direction>
RegionSum Regions::walk(const State& state, StorageId storage, Reach& reach) const {
  RegionSum sum;
  const auto count = [&](StorageId s) {
    sum.compute += position_.compute(s);
    ++sum.count;
  };
  reach.clear();
  if constexpr (direction == Direction::forward) {
    reach.take(program_.child_rows(), storage);
    reach.walk_down(program_.child_rows(), state.material, position_.storages_before_pending(), count);
  } else {
    reach.take(program_.parent_rows(), storage);
    reach.walk_up(program_.parent_rows(), state.material, count);
  }
  const StorageId raised = position_.pending().raised;
  if (raised != kNone && reach.contains(raised) && !state.material.contains(raised))
    sum.compute -= position_.pending().cost;
  return sum;
}

void Regions::on_evict(State& state, StorageId storage) const {
  if (!state.consulted) return;  // a release; every cached value is still the lower bound 0
  const Cost own = position_.compute_before_pending(storage);
  RegionSum down = walked_forward(state, storage), up = walked_reverse(state, storage);
  bool down_exact = forward_known(state, storage), up_exact = reverse_known(state, storage);
  // The choice often ends with walking around the victim.
  if (needs_.has(Feature::forward) && workspace_.above_of != storage) {
    up = walk<Direction::reverse>(state, storage, workspace_.above);
    up_exact = true;
  }
  if (needs_.has(Feature::reverse) && workspace_.below_of != storage) {
    down = walk<Direction::forward>(state, storage, workspace_.below);
    down_exact = true;
  }
  if (!needs_.has(Feature::forward)) workspace_.above.clear();
  if (!needs_.has(Feature::reverse)) workspace_.below.clear();
  workspace_.forget_walks();
  workspace_.above.for_each_in(state.material, [&](StorageId b) {
    RegionSum sum = walked_forward(state, b);
    const bool exact = forward_known(state, b) && down_exact;
    keep_forward(state, b, sum, grow(sum, own, down) && exact);
  });
  workspace_.below.for_each_in(state.material, [&](StorageId b) {
    RegionSum sum = walked_reverse(state, b);
    const bool exact = reverse_known(state, b) && up_exact;
    keep_reverse(state, b, sum, grow(sum, own, up) && exact);
  });
  if (!position_.is_pending()) return;
  spread_seen(state, storage);
  join_around_pending(state, storage);
}

void Regions::on_return(State& state, std::span<const StorageId> storages) const {
  for (StorageId u : storages) {
    ++state.returns;
    state.returned_compute =
        std::min(state.returned_compute + position_.compute_before_pending(u), State::kReturnedComputeMax);
    if (position_.is_pending()) renew_seen(state, u);
  }
  if (!state.consulted) return;
  for (StorageId u : storages) {
    // While it was evicted its forward region could only grow.
    keep_forward(state, u, walked_forward(state, u), false);
    keep_reverse(state, u, {0, 0}, true);
    if (needs_.has(Feature::forward)) program_.parent_rows().for_each(u, [&](StorageId b) { bound_forward(state, b); });
  }
}

// The sum that a child has, with the child, is a lower bound, be the child's up to date or not.
void Regions::bound_forward(State& state, StorageId storage) const {
  RegionSum bound;
  const StorageId limit = position_.storages_before_pending();
  program_.child_rows().for_each(storage, [&](StorageId x) {
    if (x >= limit || state.material.contains(x)) return;
    const RegionSum below = walked_forward(state, x);
    bound.compute = std::max(bound.compute, below.compute + position_.compute_before_pending(x));
    bound.count = std::max(bound.count, below.count + 1);
  });
  keep_forward(state, storage, bound, bound.count == 0);
}

void Regions::keep_forward(State& state, StorageId storage, const RegionSum& sum, bool exact) const {
  RegionCache& c = state.storages.change_regions(storage);
  c.forward = sum.compute;
  c.forward_count = sum.count & kCountMask;
  c.forward_exact = exact;
}

void Regions::keep_reverse(State& state, StorageId storage, const RegionSum& sum, bool exact) const {
  RegionCache& c = state.storages.change_regions(storage);
  c.reverse_plus_returned = sum.compute + state.returned_compute;
  c.reverse_count = sum.count & kCountMask;
  c.returns = state.returns;
  c.reverse_exact = exact;
}

void Regions::on_issue(State& state) const {
  const Pending& pending = position_.pending();
  const auto arguments = program_.arguments(pending.op);
  // Defined arguments are about to be locked; if all are, none leaves before the operator is computed.
  const bool all_defined =
      std::all_of(arguments.begin(), arguments.end(), [&](TensorId a) { return state.defined.contains(a); });
  if (all_defined) return;
  const std::size_t storages = program_.storages().size();
  const auto absent = [&](StorageId s) { return !state.material.contains(s); };
  if (needs_.has(Feature::forward) && pending.fresh_outputs != 0) {
    state.above_outputs = BitSet(storages);
    for (TensorId a : arguments) {
      const StorageId argument = program_.tensors()[a].storage;
      if (absent(argument)) join<Direction::reverse>(state, state.above_outputs, argument);
    }
  }
  if (pending.raised == kNone) return;
  state.above_raised = BitSet(storages);
  state.below_raised = BitSet(storages);
  if (!absent(pending.raised)) return;
  join<Direction::reverse>(state, state.above_raised, pending.raised);
  join<Direction::forward>(state, state.below_raised, pending.raised);
}

void Regions::on_complete(State& state) const {
  state.above_outputs = state.above_raised = state.below_raised = BitSet();
  state.raise_seen_below = false;
  for (StorageId s : state.seeing) state.storages.change(s).seen = 0;
  state.seeing.clear();
  if (!state.consulted) return;
  const Operator& op = program_.operators()[position_.pending().op];
  for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t)
    if (const StorageId s = program_.tensors()[t].storage; !program_.tensors()[t].alias) {
      keep_forward(state, s, {0, 0}, true);
      keep_reverse(state, s, {0, 0}, true);  // all its arguments are resident
    }
}

void Regions::evaluate(State& state, StorageId storage) const {
  if (needs_.has(Feature::forward) && !forward_known(state, storage)) {
    keep_forward(state, storage, walk<Direction::forward>(state, storage, workspace_.below), true);
    workspace_.below_of = storage;
  }
  if (needs_.has(Feature::reverse) && !reverse_known(state, storage)) {
    keep_reverse(state, storage, walk<Direction::reverse>(state, storage, workspace_.above), true);
    workspace_.above_of = storage;
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

// Adds an evicted storage and the evicted ones around it in one direction to a set that holds, with each
// of its members, those around it.
template <Regions::Direction direction>
void Regions::join(const State& state, BitSet& set, StorageId storage) const {
  const EdgeRows& rows = direction == Direction::forward ? program_.child_rows() : program_.parent_rows();
  const StorageId limit = position_.storages_before_pending();
  std::vector<StorageId>& stack = workspace_.stack;
  stack.assign(1, storage);
  set.insert(storage);
  while (!stack.empty()) {
    const StorageId from = stack.back();
    stack.pop_back();
    rows.for_each(from, [&](StorageId s) {
      if (s >= limit || state.material.contains(s) || set.contains(s)) return;
      set.insert(s);
      stack.push_back(s);
    });
  }
}

bool Regions::is_pending_argument(StorageId storage) const {
  const auto arguments = program_.arguments(position_.pending().op);
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](TensorId a) { return program_.tensors()[a].storage == storage; });
}

// The three sets, after an eviction.
void Regions::join_around_pending(State& state, StorageId evicted) const {
  if (!state.above_outputs.empty() &&
      (program_.child_rows().meet(evicted, state.above_outputs) || is_pending_argument(evicted)))
    join<Direction::reverse>(state, state.above_outputs, evicted);
  const bool raised = evicted == position_.pending().raised;
  if (!state.above_raised.empty() && (raised || program_.child_rows().meet(evicted, state.above_raised)))
    join<Direction::reverse>(state, state.above_raised, evicted);
  if (!state.below_raised.empty() && (raised || program_.parent_rows().meet(evicted, state.below_raised)))
    join<Direction::forward>(state, state.below_raised, evicted);
}

// An absorbing region gains what the evicted storage's region holds, the raised storage at its current
// compute; what it held already keeps its value.
void Regions::spread_seen(State& state, StorageId evicted) const {
  const EdgeRows &down = program_.child_rows(), &up = program_.parent_rows();
  const bool outputs = has(state.storages[evicted].seen, Seen::outputs_forward);
  const bool raised_below = down.meet(evicted, state.above_raised);
  const bool raised_above = up.meet(evicted, state.below_raised);
  if (needs_.has(Feature::forward) && (outputs || raised_below)) {
    walk<Direction::reverse>(state, evicted, workspace_.above);
    workspace_.above.for_each_in(state.material, [&](StorageId b) {
      if (outputs) see(state, b, Seen::outputs_forward, true);
      if (raised_below && !down.meet(b, state.above_raised)) see(state, b, Seen::raise_forward, true);
    });
  }
  if (needs_.has(Feature::reverse) && raised_above) {
    walk<Direction::forward>(state, evicted, workspace_.below);
    workspace_.below.for_each_in(state.material, [&](StorageId b) {
      if (!up.meet(b, state.below_raised)) see(state, b, Seen::raise_reverse, true);
    });
  }
  if (state.storages[evicted].seen != 0) state.storages.change(evicted).seen = 0;
}

// The regions around a storage that came back are rebuilt and see everything.
void Regions::renew_seen(State& state, StorageId returned) const {
  const Pending& pending = position_.pending();
  const bool was_above_raised = !state.above_raised.empty() && state.above_raised.contains(returned);
  for (BitSet* set : {&state.above_outputs, &state.above_raised})
    if (!set->empty()) set->erase(returned);
  if (needs_.has(Feature::forward)) {
    const EdgeRows& down = program_.child_rows();
    const auto renew = [&](StorageId b) {
      const bool outputs = pending.fresh_outputs != 0 && (down.meet(b, state.above_outputs) || is_pending_argument(b));
      see(state, b, Seen::outputs_forward, outputs);
      if (pending.raised != kNone) see(state, b, Seen::raise_forward, down.meet(b, state.above_raised));
    };
    renew(returned);
    program_.parent_rows().for_each(returned, renew);
  }
  if (pending.raised == kNone || !needs_.has(Feature::reverse)) return;
  if (returned == pending.raised)
    forget_raised_below(state);
  else if (!state.raise_seen_below)
    renew_raised_below(state, returned, was_above_raised);
}

// No reverse region holds the raised storage any more.
void Regions::forget_raised_below(State& state) const {
  if (!state.below_raised.empty()) state.below_raised.clear();
  state.raise_seen_below = false;
  for (StorageId b : state.seeing) see(state, b, Seen::raise_reverse, false);
}

// The rebuilt reverse regions that hold the raised storage. They do not lose it while it is evicted, so once
// all of them have seen the raise, as they have when something above it came back, nothing changes.
void Regions::renew_raised_below(State& state, StorageId returned, bool was_above_raised) const {
  const EdgeRows &down = program_.child_rows(), &up = program_.parent_rows();
  if (was_above_raised) {
    state.below_raised.for_each([&](StorageId s) {
      down.for_each(s, [&](StorageId b) {
        if (state.material.contains(b)) see(state, b, Seen::raise_reverse, true);
      });
    });
    state.raise_seen_below = true;
    return;
  }
  walk<Direction::forward>(state, returned, workspace_.below);
  workspace_.below.for_each_in(state.material, [&](StorageId b) {
    if (up.meet(b, state.below_raised)) see(state, b, Seen::raise_reverse, true);
  });
}

}  // namespace pothole
