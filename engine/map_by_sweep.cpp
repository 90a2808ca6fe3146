// The merged sweep: all executions of a range of budgets at once, as a set of states each of which
// stands for a set of budgets. A state splits where a threshold falls inside its budgets; two states
// merge where they are equal again, looked for at every materialization, so that what executions have
// in common is done once.
//
// Within one operator of the trace the state with the least clock goes first: an equal one can only
// come from a state whose clock is not later.
#include <algorithm>
#include <map>
#include <memory>

#include "engine/feasibility_map.h"
#include "engine/stepper.h"

namespace pothole {
namespace {

// The budgets of one execution so far. Merging keeps them apart: equal states, different histories.
struct BudgetInterval {
  Bytes from = 0, to = 0;
  std::int64_t steps = 0;  // materializations, less those that its state counts
};

struct SweepState {
  State state;
  std::vector<BudgetInterval> budgets;  // ascending, disjoint, not empty
  std::int64_t steps = 0;
  std::uint64_t digest = 0;

  Bytes lowest() const { return budgets.front().from; }
  Bytes highest() const { return budgets.back().to - 1; }
};

using SweepStatePtr = std::unique_ptr<SweepState>;

class Sweep {
 public:
  Sweep(const Program& program, const RunSettings& settings, Bytes from, Bytes to, const SearchControl& control)
      : program_(program),
        control_(control),
        position_(program),
        workspace_(program.storages().size()),
        stepper_(program, settings, position_, workspace_, nullptr) {
    auto all = std::make_unique<SweepState>();
    all->state = stepper_.initial();
    all->budgets.push_back({from, to, 0});
    states_.push_back(std::move(all));
  }

  void run() {
    for (const Command& command : program_.commands()) {
      if (command.kind == Command::Kind::issue) {
        position_.issue(program_, command.id);
        advance_all([&](State& state) { stepper_.begin_issue(state, command.id); });
        position_.complete();
        for (const SweepStatePtr& s : states_) stepper_.end_issue(s->state, command.id);
      } else if (command.last_reference) {
        for (const SweepStatePtr& s : states_)
          stepper_.release(s->state, program_.tensors()[command.id].storage);
      }
      if (states_.empty() || stopped()) return;
    }
    for (TensorId tensor : program_.pins()) {
      advance_all([&](State& state) { stepper_.begin_pin(state, tensor); });
      for (const SweepStatePtr& s : states_) stepper_.end_pin(s->state, tensor);
    }
    if (stopped()) return;
    for (const SweepStatePtr& s : states_) finish(*s, Outcome::ok, {});
  }

  FeasibilityMap take() && {
    std::sort(map_.executions.begin(), map_.executions.end(),
              [](const Execution& a, const Execution& b) { return a.from < b.from; });
    return std::move(map_);
  }

 private:
  bool stopped() const { return control_.stop && control_.stop->load(std::memory_order_relaxed); }

  // Runs every state to the end of the frames that `begin` puts on it.
  template <class Begin>
  void advance_all(const Begin& begin) {
    for (SweepStatePtr& s : states_) {
      begin(s->state);
      queue_[s->state.clock].push_back(std::move(s));
    }
    states_.clear();
    while (!queue_.empty() && !stopped()) {
      const auto first = queue_.begin();
      SweepStatePtr s = std::move(first->second.back());
      first->second.pop_back();
      if (first->second.empty()) queue_.erase(first);
      advance(std::move(s));
    }
    merge_equal(states_);
  }

  // To the end of the state's frames, to its outcome, or until another state may be equal.
  void advance(SweepStatePtr s) {
    bool entered = false;
    while (!s->state.frames.empty()) {
      switch (s->state.frames.back().phase) {
        case Frame::Phase::enter:
          if (entered && !queue_.empty() && queue_.begin()->first <= s->state.clock) {
            enqueue(std::move(s));
            return;
          }
          entered = true;
          ++s->steps;
          ++map_.distinct_steps;
          stepper_.enter(s->state);
          break;
        case Frame::Phase::restore:
          stepper_.restore(s->state);
          break;
        case Frame::Phase::make_room:
          if (!make_room(*s)) return;
          break;
      }
    }
    states_.push_back(std::move(s));
  }

  // False if the state has met its outcome.
  bool make_room(SweepState& s) {
    const Bytes threshold = stepper_.threshold(s.state);
    if (s.lowest() < threshold && threshold <= s.highest()) enqueue(split_off(s, threshold));
    if (s.lowest() >= threshold) {
      if (!stepper_.compute(s.state)) return finish(s, Outcome::unresolved, "the clock passes 2^63");
      return !stepper_.thrashed(s.state) || finish(s, Outcome::thrashed, {});
    }
    if (s.state.pool_size == 0) return finish(s, Outcome::oom, {});
    const std::uint64_t draws = s.state.draws;
    BudgetWindow window(s.lowest());
    const StorageId victim = stepper_.choose(s.state, window);
    if (window.certificate().hi <= s.highest()) {
      SweepStatePtr upper = split_off(s, window.certificate().hi);
      upper->state.draws = draws;
      enqueue(std::move(upper));
    }
    stepper_.evict(s.state, victim);
    return true;
  }

  // The part of a state at and above `threshold`, which must lie inside its budgets.
  SweepStatePtr split_off(SweepState& s, Bytes threshold) {
    auto upper = std::make_unique<SweepState>();
    upper->state = s.state;
    upper->steps = s.steps;
    auto at = std::find_if(s.budgets.begin(), s.budgets.end(),
                           [&](const BudgetInterval& b) { return b.to > threshold; });
    upper->budgets.assign(at, s.budgets.end());
    if (at->from < threshold) {
      upper->budgets.front().from = threshold;
      at->to = threshold;
      ++at;
    }
    s.budgets.erase(at, s.budgets.end());
    return upper;
  }

  void enqueue(SweepStatePtr s) {
    std::vector<SweepStatePtr>& others = queue_[s->state.clock];
    s->digest = digest_of(s->state);
    if (!merged_into_one_of(others, *s)) others.push_back(std::move(s));
  }

  void merge_equal(std::vector<SweepStatePtr>& states) {
    if (states.size() < 2) return;
    std::map<std::uint64_t, std::vector<SweepStatePtr>> by_digest;
    for (SweepStatePtr& s : states) {
      s->digest = digest_of(s->state);
      std::vector<SweepStatePtr>& others = by_digest[s->digest];
      if (!merged_into_one_of(others, *s)) others.push_back(std::move(s));
    }
    states.clear();
    for (auto& [digest, others] : by_digest)
      for (SweepStatePtr& s : others) states.push_back(std::move(s));
  }

  bool merged_into_one_of(std::vector<SweepStatePtr>& others, SweepState& s) {
    for (const SweepStatePtr& other : others) {
      if (other->digest != s.digest || !(other->state == s.state)) continue;
      for (BudgetInterval& b : s.budgets) b.steps += s.steps - other->steps;
      const auto middle = static_cast<std::ptrdiff_t>(other->budgets.size());
      other->budgets.insert(other->budgets.end(), s.budgets.begin(), s.budgets.end());
      std::inplace_merge(other->budgets.begin(), other->budgets.begin() + middle, other->budgets.end(),
                         [](const BudgetInterval& a, const BudgetInterval& b) { return a.from < b.from; });
      ++map_.states_merged;
      return true;
    }
    return false;
  }

  // Always false, for callers that end a state.
  bool finish(const SweepState& s, Outcome outcome, std::string_view why) {
    const Cost remat = s.state.remat_compute;
    Bytes certified = 0;
    for (const BudgetInterval& b : s.budgets) {
      map_.executions.push_back({b.from, b.to, outcome, why, s.state.clock - 1 - remat, remat});
      map_.execution_steps += b.steps + s.steps;
      certified += b.to - b.from;
    }
    if (control_.on_certified) control_.on_certified(certified);
    return false;
  }

  const Program& program_;
  const SearchControl& control_;
  Position position_;
  Workspace workspace_;
  Stepper stepper_;
  std::vector<SweepStatePtr> states_;                      // at the same place, no frames
  std::map<Tick, std::vector<SweepStatePtr>> queue_;       // by clock, inside one operator
  FeasibilityMap map_;
};

}  // namespace

FeasibilityMap map_by_sweep(const Program& program, const RunSettings& settings, Bytes from, Bytes to,
                            const SearchControl& control) {
  FeasibilityMap map;
  if (from < to) {
    Sweep sweep(program, settings, from, to, control);
    sweep.run();
    map = std::move(sweep).take();
  }
  map.from = from;
  map.to = to;
  return map;
}

}  // namespace pothole
