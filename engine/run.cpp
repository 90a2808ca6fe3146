#include "engine/run.h"

#include <limits>

#include "engine/observer.h"
#include "engine/stepper.h"

namespace pothole {
namespace {

// One execution from start to outcome.
class Runner {
 public:
  Runner(const Program& program, const RunSettings& settings, Bytes budget, const RunOptions& options)
      : program_(program),
        options_(options),
        position_(program),
        workspace_(program.storages().size()),
        stepper_(program, settings, position_, workspace_, &recorder_),
        window_(budget),
        budget_(budget),
        state_(stepper_.initial()) {
    recorder_.record_victims = options.record_victims;
    recorder_.record_decisions = options.record_decisions;
    recorder_.observer = options.observer;
  }

  RunResult run() {
    result_.outcome = Outcome::ok;
    if (run_commands()) run_pins();  // whichever ends the run sets another outcome
    result_.measures = recorder_.measures;
    result_.certificate = window_.certificate();
    result_.victims = std::move(recorder_.victims);
    result_.decisions = std::move(recorder_.decisions);
    result_.decision_digest = recorder_.decision_digest;
    return std::move(result_);
  }

 private:
  // False: the run has ended.
  bool run_commands() {
    for (const Command& command : program_.commands()) {
      if (command.kind == Command::Kind::issue) {
        position_.issue(program_, command.id);
        tell_place();
        stepper_.begin_issue(state_, command.id);
        if (!run_frames()) return false;
        position_.complete();
        tell_place();
        stepper_.end_issue(state_, command.id);
      } else {
        const StorageId storage = program_.tensors()[command.id].storage;
        position_.refer(command, storage);
        if (command.last_reference) stepper_.release(state_, storage);
      }
    }
    return true;
  }

  void run_pins() {
    for (std::uint32_t i = 0; i < program_.pins().size(); ++i) {
      const TensorId tensor = program_.pins()[i];
      position_.pin(program_, i);
      tell_place();
      stepper_.begin_pin(state_, tensor);
      if (!run_frames()) return;
      stepper_.end_pin(state_, tensor);
    }
  }

  bool run_frames() {
    while (!state_.frames.empty()) {
      switch (state_.frames.back().phase) {
        case Frame::Phase::enter:
          if (options_.stop && options_.stop->load(std::memory_order_relaxed)) return stop(kInterrupted);
          if (++steps_ > options_.steps_max) return stop(kStepLimit);
          if (options_.observer) options_.observer->entered(scene());
          if (const auto why = stepper_.enter(state_); !why.empty()) return stop(why);
          break;
        case Frame::Phase::restore:
          stepper_.restore(state_);
          break;
        case Frame::Phase::make_room:
          if (!make_room()) return false;
          break;
      }
    }
    return true;
  }

  bool make_room() {
    if (options_.observer) options_.observer->asked(scene());
    if (eviction_is_due()) return evict_as_scheduled();
    const Bytes threshold = stepper_.threshold(state_);
    if (window_.at_least(threshold)) {
      if (options_.observer) options_.observer->computed(scene());
      if (const auto why = stepper_.compute(state_); !why.empty()) return stop(why);
      ++computed_;
      if (!stepper_.thrashed(state_)) return true;
      result_.outcome = Outcome::thrashed;
      return false;
    }
    if (!state_.pool.empty() && !options_.schedule) {
      const Choice choice = stepper_.choose(state_, window_, options_.observer);
      if (choice.victim != kNone) {
        evict(choice.victim);
        return true;
      }
      result_.outcome = Outcome::policy_error;
      result_.fault = choice.fault;
      return false;
    }
    result_.outcome = Outcome::oom;
    result_.failure = Failure{threshold - state_.resident, threshold - budget_,
                              static_cast<std::int64_t>(state_.frames.size()), stepper_.pinned_bytes(state_)};
    return false;
  }

  bool eviction_is_due() const {
    return options_.schedule && scheduled_ < options_.schedule->size() &&
           (*options_.schedule)[scheduled_].computed_before <= computed_;
  }

  bool evict_as_scheduled() {
    const TensorId root = (*options_.schedule)[scheduled_++].victim;
    if (root >= program_.tensors().size()) return stop(kScheduleNotFollowed);
    const StorageId victim = program_.tensors()[root].storage;
    // What is material and not locked is in the pool.
    if (!state_.material.contains(victim) || state_.storages[victim].locks != 0) return stop(kScheduleNotFollowed);
    evict(victim);
    return true;
  }

  void evict(StorageId victim) {
    if (options_.observer) options_.observer->evicted(scene(), victim);
    stepper_.evict(state_, victim);
  }

  void tell_place() {
    if (options_.observer) options_.observer->moved(position_.place());
  }

  // Of the frame on top.
  Scene scene() const {
    const Frame& frame = state_.frames.back();
    return {position_.place(),
            static_cast<std::int64_t>(state_.frames.size()),
            frame.tensor,
            frame.remat,
            stepper_.threshold(state_) - state_.resident,
            state_.resident,
            stepper_.pinned_bytes(state_),
            budget_};
  }

  bool stop(std::string_view why) {
    result_.outcome = Outcome::unresolved;
    result_.why_unresolved = why;
    return false;
  }

  const Program& program_;
  const RunOptions& options_;
  Position position_;
  Workspace workspace_;
  Recorder recorder_;
  Stepper stepper_;
  BudgetWindow window_;
  Bytes budget_;
  std::int64_t steps_ = 0;
  std::int64_t computed_ = 0;
  std::size_t scheduled_ = 0;  // evictions of the schedule that have happened
  State state_;
  RunResult result_;
};

}  // namespace

std::string_view why_not_runnable(const RunSettings& settings) {
  const Features needs = settings.policy.policy->needs;
  if (settings.dealloc != Dealloc::banish) return {};
  if (!needs.has(Feature::forward) && !needs.has(Feature::reverse) && !needs.has(Feature::classes)) return {};
  return "it reads evicted neighbourhoods, which the runtime that banishes does not keep";
}

RunResult run(const Program& program, const RunSettings& settings, Bytes budget, const RunOptions& options) {
  return Runner(program, settings, budget, options).run();
}

Bytes peak_of(const Program& program) {
  RunSettings settings;
  settings.policy.policy = find_policy("LRU");  // never asked
  return run(program, settings, std::numeric_limits<Bytes>::max()).measures.peak_resident;
}

Bytes budget_at_ratio(Bytes peak, double ratio) { return static_cast<Bytes>(static_cast<double>(peak) * ratio); }

}  // namespace pothole
