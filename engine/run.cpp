#include "engine/run.h"

#include <limits>

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
        stepper_.begin_issue(state_, command.id);
        if (!run_frames()) return false;
        position_.complete();
        stepper_.end_issue(state_, command.id);
      } else if (command.last_reference) {
        stepper_.release(state_, program_.tensors()[command.id].storage);
      }
    }
    return true;
  }

  void run_pins() {
    for (TensorId tensor : program_.pins()) {
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
          stepper_.enter(state_);
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
    if (eviction_is_due()) return evict_as_scheduled();
    const Bytes threshold = stepper_.threshold(state_);
    if (window_.at_least(threshold)) {
      if (!stepper_.compute(state_)) return stop(kClockOverflow);
      ++computed_;
      if (!stepper_.thrashed(state_)) return true;
      result_.outcome = Outcome::thrashed;
      return false;
    }
    if (!state_.pool.empty() && !options_.schedule) {
      stepper_.evict(state_, stepper_.choose(state_, window_));
      return true;
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
    stepper_.evict(state_, victim);
    return true;
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
