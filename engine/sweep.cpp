#include "engine/sweep.h"

#include <algorithm>

namespace pothole {
namespace {

// A part that has carried out so many steps sheds its upper half, and both are to grow twice as much until
// the next time: soon there is work for every thread, and later parts stay together, as neighbouring
// budgets share nearly everything (unrolled GAN under DTR around ratio 0.2: 1.75 million steps in parts of
// 16 per operator, 1.33 in parts of 64, 1.21 in parts of 1000).
constexpr std::int64_t kLeastSteps = 4096, kStepsPerOperator = 16, kMostStepsPerOperator = 128;

std::int64_t first_steps_before_shedding(const Program& program) {
  return std::max(kLeastSteps, kStepsPerOperator * static_cast<std::int64_t>(program.operators().size()));
}

std::int64_t next_steps_before_shedding(const Program& program, std::int64_t steps) {
  const std::int64_t most = kMostStepsPerOperator * static_cast<std::int64_t>(program.operators().size());
  return std::max(steps, std::min(2 * steps, most));
}

}  // namespace

Sweep::Sweep(const Program& program, const RunSettings& settings, BudgetRange budgets, const SearchControl& control,
             std::atomic<std::int64_t>& memory)
    : Sweep(program, settings, {{budgets.from, budgets.to, 0}}, control, memory) {}

Sweep::Sweep(const Program& program, const RunSettings& settings, std::vector<Branch> branches,
             const SearchControl& control, std::atomic<std::int64_t>& memory)
    : program_(program),
      settings_(settings),
      control_(control),
      memory_(memory),
      position_(program),
      workspace_(program.storages().size()),
      stepper_(program, settings, position_, workspace_, nullptr),
      steps_before_shedding_(first_steps_before_shedding(program)) {
  start(std::move(branches));
}

Sweep::Sweep(const Sweep& origin, std::vector<StatePtr> states, Queue queue)
    : program_(origin.program_),
      settings_(origin.settings_),
      control_(origin.control_),
      memory_(origin.memory_),
      place_(origin.place_),
      begun_(origin.begun_),
      position_(origin.position_),
      workspace_(program_.storages().size()),
      stepper_(program_, settings_, position_, workspace_, nullptr),
      steps_before_shedding_(origin.steps_before_shedding_),
      states_(std::move(states)),
      queue_(std::move(queue)) {}

void Sweep::start(std::vector<Branch> branches) {
  auto all = std::make_unique<SweepState>();
  all->state = stepper_.initial(&memory_);
  all->branches = std::move(branches);
  states_.push_back(std::move(all));
}

void Sweep::run(const Listener& listener) {
  listener_ = &listener;
  if (to_restore_ && !restore()) return;
  for (; !ended() && !past_last_place(); ++place_) {
    if (!begun_) begin_place();
    drain_queue();
    if (stopped()) return;
    end_place();
  }
  for (const StatePtr& s : states_) finish(*s, Outcome::ok, {});
  states_.clear();
}

void Sweep::begin_place() {
  begun_ = true;
  const auto& commands = program_.commands();
  if (place_ < commands.size()) {
    const Command& command = commands[place_];
    if (command.kind != Command::Kind::issue) return;
    merge_equal();
    position_.issue(program_, command.id);
    for (const StatePtr& s : states_) stepper_.begin_issue(s->state, command.id);
  } else {
    merge_equal();
    const std::size_t pin = place_ - commands.size();
    position_.pin(program_, static_cast<std::uint32_t>(pin));
    for (const StatePtr& s : states_) stepper_.begin_pin(s->state, program_.pins()[pin]);
  }
  for (StatePtr& s : states_) queued_at(s->state.clock).push_back(std::move(s));
  states_.clear();
}

void Sweep::end_place() {
  begun_ = false;
  const auto& commands = program_.commands();
  if (place_ >= commands.size()) {
    for (const StatePtr& s : states_) stepper_.end_pin(s->state, program_.pins()[place_ - commands.size()]);
    return;
  }
  const Command& command = commands[place_];
  if (command.kind == Command::Kind::issue) {
    position_.complete();
    for (const StatePtr& s : states_) stepper_.end_issue(s->state, command.id);
    return;
  }
  const StorageId storage = program_.tensors()[command.id].storage;
  position_.refer(command, storage);
  if (!command.last_reference) return;
  for (const StatePtr& s : states_) stepper_.release(s->state, storage);
}

void Sweep::drain_queue() {
  while (!queue_.empty() && !stopped()) {
    const auto first = queue_.begin();
    StatePtr s = std::move(first->second.back());
    first->second.pop_back();
    if (first->second.empty()) spare_nodes_.push_back(queue_.extract(first));
    if (!advance(std::move(s))) {
      if (!stopped()) look();
      continue;  // as if it had gone on: what is shed must not depend on when someone looks
    }
    if (memory_.load(std::memory_order_relaxed) > control_.limits.memory)
      relieve_memory();
    else if (steps_since_shed() >= steps_before_shedding_)
      shed();
    else if (look_due())
      look();
  }
}

void Sweep::look() {
  steps_at_last_look_ = work_.distinct_steps;
  if (listener_->look) listener_->look();
}

// To the end of the state's frames, to its outcome, or until another state may be equal. False if it was put back
// before that, to look or to stop.
bool Sweep::advance(StatePtr s) {
  bool entered = false;
  while (true) {
    if (captures_ != nullptr) {
      capture(*s);
      if (s->branches.empty()) return true;
    }
    if (s->state.frames.empty()) break;
    switch (s->state.frames.back().phase) {
      case Frame::Phase::enter:
        if (entered && !queue_.empty() && queue_.begin()->first <= s->state.clock) {
          enqueue(std::move(s));
          return true;
        }
        if (entered && (look_due() || stopped())) {
          enqueue(std::move(s));
          return false;
        }
        if (control_.limits.steps != SearchLimits::kNone) finish_beyond_step_limit(*s);
        if (s->branches.empty()) return true;
        entered = true;
        ++s->steps;
        ++work_.distinct_steps;
        if (const auto why = stepper_.enter(s->state); !why.empty()) {
          finish(*s, Outcome::unresolved, why);
          keep_as_spare(std::move(s));
          return true;
        }
        break;
      case Frame::Phase::restore:
        stepper_.restore(s->state);
        break;
      case Frame::Phase::make_room:
        if (!make_room(*s)) {
          keep_as_spare(std::move(s));
          return true;
        }
        break;
    }
  }
  states_.push_back(std::move(s));
  return true;
}

// False if the state has met its outcome.
bool Sweep::make_room(SweepState& s) {
  const Bytes threshold = stepper_.threshold(s.state);
  if (s.lowest() < threshold && threshold <= s.highest()) enqueue(split_off(s, threshold));
  if (s.lowest() >= threshold) {
    if (const auto why = stepper_.compute(s.state); !why.empty()) return finish(s, Outcome::unresolved, why);
    return !stepper_.thrashed(s.state) || finish(s, Outcome::thrashed, {});
  }
  if (s.state.pool.empty()) return finish(s, Outcome::oom, {});
  const std::uint64_t draws = s.state.draws;
  BudgetWindow window(s.lowest());
  const Choice choice = stepper_.choose(s.state, window);
  if (window.certificate().hi <= s.highest()) {
    // The policy's own threshold: larger budgets choose for themselves.
    StatePtr upper = split_off(s, window.certificate().hi);
    upper->state.draws = draws;
    enqueue(std::move(upper));
  }
  if (choice.victim == kNone) return finish(s, Outcome::policy_error, {}, choice.fault);
  stepper_.evict(s.state, choice.victim);
  return true;
}

// The part of a state at and above `threshold`, which lies inside its budgets.
Sweep::StatePtr Sweep::split_off(SweepState& s, Bytes threshold) {
  StatePtr upper = spare_state();
  upper->state = s.state;
  upper->steps = s.steps;
  auto at = std::find_if(s.branches.begin(), s.branches.end(), [&](const Branch& b) { return b.to > threshold; });
  upper->branches.assign(at, s.branches.end());
  if (at->from < threshold) {
    upper->branches.front().from = threshold;
    at->to = threshold;
    ++at;
  }
  s.branches.erase(at, s.branches.end());
  return upper;
}

Sweep::StatePtr Sweep::spare_state() {
  if (spare_.empty()) return std::make_unique<SweepState>();
  StatePtr s = std::move(spare_.back());
  spare_.pop_back();
  return s;
}

void Sweep::keep_as_spare(StatePtr s) {
  constexpr std::size_t kMost = 64;
  if (spare_.size() == kMost) return;
  s->state.storages.forget();
  spare_.push_back(std::move(s));
}

std::vector<Sweep::StatePtr>& Sweep::queued_at(Tick clock) {
  const auto at = queue_.lower_bound(clock);
  if (at != queue_.end() && at->first == clock) return at->second;
  if (spare_nodes_.empty()) return queue_.emplace_hint(at, clock, std::vector<StatePtr>())->second;
  auto node = std::move(spare_nodes_.back());
  spare_nodes_.pop_back();
  node.key() = clock;
  return queue_.insert(at, std::move(node))->second;
}

void Sweep::enqueue(StatePtr s) {
  std::vector<StatePtr>& others = queued_at(s->state.clock);
  s->digest = digest_of(s->state);
  if (merged_into_one_of(others, *s))
    keep_as_spare(std::move(s));
  else
    others.push_back(std::move(s));
}

// Before each operator: releases, too, make states equal.
void Sweep::merge_equal() {
  if (states_.size() < 2) return;
  order_.clear();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    states_[i]->digest = digest_of(states_[i]->state);
    order_.emplace_back(states_[i]->digest, i);
  }
  std::sort(order_.begin(), order_.end());
  to_merge_.swap(states_);
  states_.clear();
  std::size_t first = 0;  // of those left that have the digest
  for (const auto& [digest, index] : order_) {
    StatePtr s = std::move(to_merge_[index]);
    if (!states_.empty() && states_.back()->digest != digest) first = states_.size();
    if (merged_into_one_of(std::span(states_).subspan(first), *s))
      keep_as_spare(std::move(s));
    else
      states_.push_back(std::move(s));
  }
  to_merge_.clear();
}

// The digest finds candidates; only the full comparison merges.
bool Sweep::merged_into_one_of(std::span<const StatePtr> others, SweepState& s) {
  for (const StatePtr& other : others) {
    if (other->digest != s.digest || !(other->state == s.state)) continue;
    for (Branch& b : s.branches) b.steps += s.steps - other->steps;
    const auto middle = static_cast<std::ptrdiff_t>(other->branches.size());
    other->branches.insert(other->branches.end(), s.branches.begin(), s.branches.end());
    std::inplace_merge(other->branches.begin(), other->branches.begin() + middle, other->branches.end(),
                       [](const Branch& a, const Branch& b) { return a.from < b.from; });
    ++work_.states_merged;
    return true;
  }
  return false;
}

// Always false, for callers that end a state.
bool Sweep::finish(const SweepState& s, Outcome outcome, std::string_view why, const PolicyFault& fault) {
  const Cost remat = s.state.remat_compute;
  for (const Branch& b : s.branches) {
    found_.push_back({b.from, b.to, outcome, why, s.state.clock - 1 - remat, remat, fault});
    work_.execution_steps += b.steps + s.steps;
  }
  return false;
}

void Sweep::finish_beyond_step_limit(SweepState& s) {
  const auto within = [&](const Branch& b) { return b.steps + s.steps < control_.limits.steps; };
  if (std::all_of(s.branches.begin(), s.branches.end(), within)) return;
  SweepState beyond;
  const auto first = std::stable_partition(s.branches.begin(), s.branches.end(), within);
  beyond.branches.assign(first, s.branches.end());
  s.branches.erase(first, s.branches.end());
  beyond.steps = s.steps;
  beyond.state.clock = s.state.clock;
  beyond.state.remat_compute = s.state.remat_compute;
  finish(beyond, Outcome::unresolved, kStepLimit);
}

// Cuts at an execution's edge, so that no execution is cut in two, and in the middle of those under way.
// Null if there is only one.
std::unique_ptr<Sweep> Sweep::upper_half() {
  std::vector<Bytes> edges;
  const auto add_edges = [&](const std::vector<StatePtr>& states) {
    for (const StatePtr& s : states)
      for (const Branch& b : s->branches) edges.push_back(b.from);
  };
  add_edges(states_);
  for (const auto& [clock, states] : queue_) add_edges(states);
  if (edges.size() < 2) return nullptr;
  const auto middle = edges.begin() + static_cast<std::ptrdiff_t>(edges.size() / 2);
  std::nth_element(edges.begin(), middle, edges.end());
  const Bytes cut = *middle;

  const auto take_above = [&](std::vector<StatePtr>& states) {
    std::vector<StatePtr> above;
    for (StatePtr& s : states)
      if (StatePtr upper = part_above(s, cut)) above.push_back(std::move(upper));
    std::erase(states, nullptr);
    return above;
  };
  std::vector<StatePtr> states = take_above(states_);
  Queue queue;
  for (auto at = queue_.begin(); at != queue_.end();) {
    if (auto above = take_above(at->second); !above.empty()) queue[at->first] = std::move(above);
    at = at->second.empty() ? queue_.erase(at) : std::next(at);
  }
  return std::unique_ptr<Sweep>(new Sweep(*this, std::move(states), std::move(queue)));
}

void Sweep::shed() {
  steps_at_last_shed_ = steps_at_last_look_ = work_.distinct_steps;
  steps_before_shedding_ = next_steps_before_shedding(program_, steps_before_shedding_);
  if (std::unique_ptr<Sweep> upper = upper_half()) listener_->give_away(std::move(upper));
}

// Gives up half of what is under way, all of it if it is a single execution.
void Sweep::relieve_memory() {
  std::unique_ptr<Sweep> upper = upper_half();
  Sweep& given_up = upper ? *upper : *this;
  for (const StatePtr& s : given_up.states_) finish(*s, Outcome::unresolved, kMemoryLimit);
  for (const auto& [clock, states] : given_up.queue_)
    for (const StatePtr& s : states) finish(*s, Outcome::unresolved, kMemoryLimit);
  given_up.states_.clear();
  given_up.queue_.clear();
}

// What of a state lies at and above the cut; the state keeps the rest, or is gone.
Sweep::StatePtr Sweep::part_above(StatePtr& s, Bytes cut) {
  if (s->highest() < cut) return nullptr;
  if (s->lowest() >= cut) return std::move(s);
  return split_off(*s, cut);
}

}  // namespace pothole
