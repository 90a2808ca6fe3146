#include "engine/stepper.h"

#include <algorithm>
#include <limits>

#include "engine/observer.h"
#include "engine/pool_view.h"

namespace pothole {
namespace {

// Above this, sums of region computes could pass 64 bits and the stored regions, which are wide, serve.
constexpr WideCost kLazyComputeMax = WideCost{1} << 60;

bool needs_stored_regions(const Program& program) {
  return program.has_crossing_alias() || program.total_storage_compute() > kLazyComputeMax;
}

}  // namespace

Stepper::Stepper(const Program& program, const RunSettings& settings, const Position& position, Workspace& workspace,
                 Recorder* recorder)
    : program_(program),
      settings_(settings),
      position_(position),
      workspace_(workspace),
      recorder_(recorder),
      needs_(settings.policy.policy->needs),
      needs_regions_(needs_.has(Feature::forward) || needs_.has(Feature::reverse)),
      // What has no external reference is not touched when runs banish, and comes back as it went.
      keeps_last_access_(needs_.has(Feature::union_walk) || settings.dealloc == Dealloc::banish),
      counts_evictions_(needs_.has(Feature::evictions)),
      banishes_(settings.dealloc == Dealloc::banish),
      retains_(!settings.retained.empty()),
      retained_(retains_ ? program.storages().size() : 0),
      regions_(program, position, workspace, needs_) {
  for (StorageId storage : settings.retained) retained_.insert(storage);
}

State Stepper::initial(std::atomic<std::int64_t>* memory) const {
  State state;
  const std::size_t storages = program_.storages().size();
  state.storages = StorageTable(storages, memory);
  state.material = BitSet(storages);
  state.defined = BitSet(program_.tensors().size());
  if (needs_regions_ && needs_stored_regions(program_)) state.stored = StoredRegions(storages);
  if (needs_.has(Feature::classes)) state.classes = Classes(storages);
  if (needs_.has(Feature::arrivals)) state.arrivals.resize(storages, 0);
  if (banishes_) state.banishment = Banishment(storages);
  return state;
}

void Stepper::push_frame(State& state, TensorId tensor, bool remat) const {
  const auto missing = static_cast<std::uint32_t>(state.missing.size());
  state.frames.push_back({tensor, missing, missing, Frame::Phase::enter, remat});
}

void Stepper::begin_issue(State& state, OperatorId op) const {
  const Operator& o = program_.operators()[op];
  if (needs_.has(Feature::classes))
    for (TensorId t = o.first_output; t < o.first_output + o.output_count; ++t)
      if (!program_.tensors()[t].alias) state.classes.add(storage_of(t), 0);
  if (needs_regions_ && state.stored.empty()) regions_.on_issue(state);
  push_frame(state, o.first_output, false);
}

void Stepper::end_issue(State& state, OperatorId op) const {
  const Operator& o = program_.operators()[op];
  for (TensorId t = o.first_output; t < o.first_output + o.output_count; ++t)
    state.storages.change(storage_of(t)).last_access = state.clock;
  if (o.constant) pin(state, storage_of(o.first_output));
}

void Stepper::release(State& state, StorageId storage) const {
  if (banishes_) return banish_if_done_with(state, storage);
  // Between operators only pinned storages are locked.
  if (settings_.dealloc != Dealloc::eager || !state.material.contains(storage) || state.storages[storage].locks != 0)
    return;
  leave(state, storage);
#ifdef POTHOLE_PLANT_BUG
  // bash ci/run.sh canary: one release in seven does not give back what it frees.
  if (storage % 7 == 3) state.resident += program_.storages()[storage].size;
#endif
  if (recorder_) recorder_->evicted(program_.storages()[storage].root, false);
}

void Stepper::begin_pin(State& state, TensorId tensor) const {
  const bool banished = state.banishment.is_banished(storage_of(tensor));  // it may have come back all the same
  if (!state.defined.contains(tensor) || banished) push_frame(state, tensor, true);
}

void Stepper::end_pin(State& state, TensorId tensor) const { pin(state, storage_of(tensor)); }

// For ever.
void Stepper::pin(State& state, StorageId storage) const {
  if (banishes_ && !state.banishment.pin(storage)) return;
  lock(state, storage);
}

std::string_view Stepper::enter(State& state) const {
  Frame& frame = state.frames.back();
  const std::span<const TensorId> arguments = program_.arguments(program_.tensors()[frame.tensor].op);
  const auto banished = [&](TensorId t) { return state.banishment.is_banished(storage_of(t)); };
  if (banishes_ && (banished(frame.tensor) || std::any_of(arguments.begin(), arguments.end(), banished)))
    return kBanishedNeeded;
  if (recorder_) recorder_->entered(state.frames.size(), frame.remat);
  for (TensorId a : arguments)
    // Reference: the runtime that banishes touches what has external references only.
    if (!banishes_ || position_.referenced(storage_of(a)))
      state.storages.change(storage_of(a)).last_access = state.clock;
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const StorageId storage = storage_of(arguments[i]);
    if (state.defined.contains(arguments[i])) {
      lock(state, storage);
    } else {
      state.missing.push_back(i);
      ++state.storages.change(storage).awaited;
    }
  }
  frame.phase = Frame::Phase::restore;
  return {};
}

void Stepper::restore(State& state) const {
  Frame& frame = state.frames.back();
  if (frame.missing_next == state.missing.size()) {
    if (recorder_) recorder_->asked_for_room(pinned_bytes(state), state.frames.size());
    frame.phase = Frame::Phase::make_room;
    return;
  }
  const TensorId argument = program_.arguments(program_.tensors()[frame.tensor].op)[state.missing[frame.missing_next]];
  if (!state.defined.contains(argument)) {
    push_frame(state, argument, true);
    return;
  }
  lock(state, storage_of(argument));
  --state.storages.change(storage_of(argument)).awaited;
  ++frame.missing_next;
}

Bytes Stepper::threshold(const State& state) const {
  return state.resident + operator_of(state.frames.back().tensor).total_size;
}

Choice Stepper::choose(State& state, BudgetWindow& window, Observer* observer) const {
  state.consulted = true;
  workspace_.forget_walks();
  PoolView pool(program_, position_, regions_, workspace_, state, window,
                operator_of(state.frames.back().tensor).total_size, settings_);
  const StorageId victim = settings_.policy.policy->choose(pool, settings_.policy);
  if (pool.fault().empty()) [[likely]] {
    if (observer) observer->chosen(pool, settings_.policy, victim);
    return {victim, {}};
  }
  return {kNone, {pool.place_to_name().op, pool.fault()}};
}

void Stepper::evict(State& state, StorageId victim) const {
  leave(state, victim);
  if (recorder_) recorder_->evicted(program_.storages()[victim].root, true);
}

// What eviction and release have in common.
void Stepper::leave(State& state, StorageId storage) const {
  StorageState& s = state.storages.change(storage);
  if (!state.stored.empty())
    state.stored.on_evict(storage, position_, workspace_);
  else if (needs_regions_)
    regions_.on_evict(state, storage);
  if (s.locks == 0) remove_from_pool(state, storage);  // what is banished may be pinned
  state.material.erase(storage);
  state.resident -= program_.storages()[storage].size;
  for (TensorId t : program_.tensors_of(storage)) state.defined.erase(t);
  s.evictions += counts_evictions_;
  if (!state.arrivals.empty()) state.arrivals[storage] = 0;
  if (banishes_) state.banishment.on_evict(storage);
  // It will be touched before it comes back, unless a sibling brings it back or a frame that awaits it
  // has touched it already.
  if (!keeps_last_access_ && !program_.storages()[storage].has_siblings && s.awaited == 0) s.last_access = 0;
  if (needs_.has(Feature::classes)) join_class(state, storage);
}

void Stepper::join_class(State& state, StorageId storage) const {
  state.classes.add(storage, position_.compute(storage));
  const auto join = [&](std::span<const Edge> edges) {
    for (const Edge& edge : edges) {
      if (edge.since >= position_.issued()) break;
      if (!state.material.contains(edge.storage)) state.classes.join(storage, edge.storage);
    }
  };
  join(program_.children(storage));
  join(program_.parents(storage));
}

std::string_view Stepper::compute(State& state) const {
  const Frame frame = state.frames.back();
  const Operator& op = operator_of(frame.tensor);
  const auto arguments = program_.arguments(program_.tensors()[frame.tensor].op);
  const auto defined = [&](TensorId a) { return state.defined.contains(a); };
  if (banishes_ && !std::all_of(arguments.begin(), arguments.end(), defined)) return kBanishedNeeded;
  if (state.clock > std::numeric_limits<Tick>::max() - op.cost) return kClockOverflow;
  state.clock += op.cost;
  if (frame.remat) state.remat_compute += op.cost;
  state.resident += op.total_size;
  if (recorder_) recorder_->computed(frame.tensor, op.cost, frame.remat, state.clock, state.resident);
  define_outputs(state, frame.tensor);
  if (banishes_)
    unlock_and_banish_arguments(state, frame.tensor);
  else
    for (TensorId a : arguments) unlock(state, storage_of(a));
  state.missing.resize(frame.missing_begin);
  state.frames.pop_back();
  // An alias goes with the storage that it is in, if that was banished.
  return defined(frame.tensor) ? std::string_view() : kBanishedNeeded;
}

// Reference: it goes through the arguments by index while banishing takes those in the banished storage out of the
// list, so that the argument after them is passed over: it keeps its lock and goes on waiting for what was computed.
void Stepper::unlock_and_banish_arguments(State& state, TensorId tensor) const {
  const auto all = program_.arguments(program_.tensors()[tensor].op);
  std::vector<TensorId> arguments(all.begin(), all.end());
  std::vector<StorageId> visited;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const StorageId storage = storage_of(arguments[i]);
    visited.push_back(storage);
    unlock(state, storage);
    banish_if_done_with(state, storage);
    if (state.banishment.is_banished(storage))
      std::erase_if(arguments, [&](TensorId a) { return storage_of(a) == storage; });
  }
  for (TensorId a : arguments) {
    const StorageId storage = storage_of(a);
    if (std::find(visited.begin(), visited.end(), storage) != visited.end()) continue;
    for (TensorId t : workspace_.redefined) state.banishment.pass_over(storage, t, program_);
  }
}

// Nobody holds a reference, and no tensor computed from it is evicted or not computed yet.
void Stepper::banish_if_done_with(State& state, StorageId storage) const {
  Banishment& banishment = state.banishment;
  if (position_.referenced(storage) || banishment.is_banished(storage) ||
      banishment.is_waiting(storage, program_, position_, state.defined))
    return;
  if (state.material.contains(storage)) {
    leave(state, storage);
    if (recorder_) recorder_->evicted(program_.storages()[storage].root, false);
  }
  banishment.banish(storage, program_);
  state.storages.change(storage).locks = 0;
  for (const Edge& edge : program_.children(storage)) {
    if (edge.since >= position_.issued()) break;
    if (!banishment.is_banished(edge.storage)) pin(state, edge.storage);
  }
}

void Stepper::define_outputs(State& state, TensorId tensor) const {
  const Operator& op = operator_of(tensor);
  std::vector<StorageId>& returned = workspace_.returned;
  returned.clear();
  workspace_.redefined.clear();
  const auto define = [&](TensorId t) {
    if (banishes_) workspace_.redefined.push_back(t);
    state.defined.insert(t);
    const StorageId storage = storage_of(t);
    if (state.material.contains(storage)) return;
    state.material.insert(storage);
    returned.push_back(storage);
  };
  for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
    if (t == tensor) continue;
    if (state.defined.contains(t))
      state.resident -= program_.tensors()[t].size;  // the duplicate is dropped
    else
      define(t);
  }
  define(tensor);

  if (needs_.has(Feature::classes))
    for (StorageId s : returned) state.classes.remove(s, position_.compute(s));
  if (!state.stored.empty())
    state.stored.on_material(returned, program_, state, position_, workspace_);
  else if (needs_regions_ && state.frames.size() == 1 && position_.is_pending())
    regions_.on_complete(state);
  else if (needs_regions_)
    regions_.on_return(state, returned);
  for (StorageId s : returned) {
    if (!state.arrivals.empty()) state.arrivals[s] = state.clock;
    append_to_pool(state, s);
  }
}

void Stepper::append_to_pool(State& state, StorageId storage) const {
  if (is_retained(storage)) return;
  state.pool.append(storage, state.storages);
  state.pool_bytes += program_.storages()[storage].size;
}

void Stepper::remove_from_pool(State& state, StorageId storage) const {
  if (is_retained(storage)) return;
  state.pool.remove(storage, state.storages);
  state.pool_bytes -= program_.storages()[storage].size;
}

void Stepper::lock(State& state, StorageId storage) const {
  if (state.storages.change(storage).locks++ == 0) remove_from_pool(state, storage);
}

void Stepper::unlock(State& state, StorageId storage) const {
  if (--state.storages.change(storage).locks == 0) append_to_pool(state, storage);
}

}  // namespace pothole
