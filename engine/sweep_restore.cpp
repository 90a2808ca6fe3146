// A part of a sweep, told by where its states are, and set up again from that: a sweep of one budget for each of its
// states goes the same way, and hands each state over when it comes to it.
#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "engine/sweep.h"

namespace pothole {

// The states to be found on the way, by the least budget of each.
class Sweep::Captures {
 public:
  explicit Captures(const SweepPart& part) : part_(part), found_(part.states.size()) {
    for (std::size_t i = 0; i < part.states.size(); ++i) index_of_[budget_of(part.states[i])] = i;
  }

  // One of each state, ascending.
  std::vector<Branch> budgets() const {
    std::vector<Branch> all;
    for (const SweepPart::PartState& s : part_.states) all.push_back({budget_of(s), budget_of(s) + 1, 0});
    std::sort(all.begin(), all.end(), [](const Branch& a, const Branch& b) { return a.from < b.from; });
    return all;
  }
  std::size_t place() const { return part_.place; }
  // Of the run at the budget, once it has come to the place.
  bool is_here(Bytes budget, std::int64_t steps) const { return told(budget).branches.front().steps == steps; }
  // False if it is not the state that was told of.
  bool take(Bytes budget, const State& state, std::uint64_t digest) {
    if (told(budget).digest != digest) return false;
    found_[index_of_.at(budget)] = state;
    return true;
  }
  State* found(std::size_t i) { return found_[i] ? &*found_[i] : nullptr; }

 private:
  static Bytes budget_of(const SweepPart::PartState& s) { return s.branches.front().from; }
  const SweepPart::PartState& told(Bytes budget) const { return part_.states[index_of_.at(budget)]; }

  const SweepPart& part_;
  std::unordered_map<Bytes, std::size_t> index_of_;
  std::vector<std::optional<State>> found_;
};

Sweep::Sweep(const Program& program, const RunSettings& settings, const SweepPart& part, const SearchControl& control,
             std::atomic<std::int64_t>& memory)
    : program_(program),
      settings_(settings),
      control_(control),
      memory_(memory),
      to_restore_(std::make_unique<SweepPart>(part)),
      position_(program),
      workspace_(program.storages().size()),
      stepper_(program, settings, position_, workspace_, nullptr),
      steps_before_shedding_(part.steps_before_shedding),
      steps_at_last_shed_(part.work.distinct_steps - part.steps_since_shed),
      steps_at_last_look_(part.work.distinct_steps - part.steps_since_look),
      work_(part.work) {}

SweepPart Sweep::under_way() const {
  if (to_restore_) return *to_restore_;
  SweepPart part;
  part.place = place_;
  part.work = work_;
  part.steps_since_look = steps_since_look();
  part.steps_since_shed = steps_since_shed();
  part.steps_before_shedding = steps_before_shedding_;
  const auto add = [&](const SweepState& s, bool done) {
    SweepPart::PartState& to = part.states.emplace_back();
    to.digest = digest_of(s.state);
    to.done = done;
    for (const Branch& b : s.branches) to.branches.push_back({b.from, b.to, b.steps + s.steps});
  };
  for (const auto& [clock, states] : queue_)
    for (const StatePtr& s : states) add(*s, false);
  for (const StatePtr& s : states_) add(*s, true);
  return part;
}

// False if stopped meanwhile: the part is as it was told.
bool Sweep::restore() {
  const SweepPart& part = *to_restore_;
  Captures captures(part);
  SearchControl control;
  control.stop = control_.stop;
  Sweep replay(program_, settings_, captures.budgets(), control, memory_);
  replay.steps_before_shedding_ = std::numeric_limits<std::int64_t>::max();
  replay.replay(captures);
  if (stopped()) return false;
  if (take_states(captures)) {
    place_ = part.place;
    begun_ = true;
    position_ = replay.position_;
  } else {
    // No run of this program comes to such states: whoever told of them was wrong. Begins again.
    work_ = SearchWork();
    steps_at_last_shed_ = steps_at_last_look_ = 0;
    std::vector<Branch> branches;
    for (const SweepPart::PartState& s : part.states)
      for (const SweepPart::Branch& b : s.branches) branches.push_back({b.from, b.to, 0});
    std::sort(branches.begin(), branches.end(), [](const Branch& a, const Branch& b) { return a.from < b.from; });
    start(std::move(branches));
  }
  to_restore_.reset();
  return true;
}

void Sweep::replay(Captures& captures) {
  static const Listener nobody;
  listener_ = &nobody;
  for (; !ended() && !past_last_place() && !stopped(); ++place_) {
    begin_place();
    if (place_ == captures.place()) {
      captures_ = &captures;
      for (const StatePtr& s : states_) capture(*s);  // where nothing is materialized
      drain_queue();
      return;
    }
    drain_queue();
    end_place();
  }
}

void Sweep::capture(SweepState& s) const {
  std::optional<std::uint64_t> digest;
  std::erase_if(s.branches, [&](const Branch& b) {
    if (!captures_->is_here(b.from, b.steps + s.steps)) return false;
    if (!digest) digest = digest_of(s.state);
    return captures_->take(b.from, s.state, *digest);
  });
}

// False if a state is missing: then none is taken.
bool Sweep::take_states(Captures& captures) {
  const std::vector<SweepPart::PartState>& told = to_restore_->states;
  for (std::size_t i = 0; i < told.size(); ++i)
    if (captures.found(i) == nullptr) return false;
  for (std::size_t i = 0; i < told.size(); ++i) {
    auto s = std::make_unique<SweepState>();
    s->state = std::move(*captures.found(i));
    s->digest = told[i].digest;
    for (const SweepPart::Branch& b : told[i].branches) s->branches.push_back({b.from, b.to, b.steps});
    std::vector<StatePtr>& to = told[i].done ? states_ : queue_[s->state.clock];
    to.push_back(std::move(s));
  }
  return true;
}

}  // namespace pothole
