#include "tests/model/slow_model.h"

#include <algorithm>

#include "tests/model/slow_state.h"

namespace pothole {
namespace {

// Unwinds the recursion when the run ends early.
struct RunEnded {
  Outcome outcome;
};

class SlowRun {
 public:
  SlowRun(const Program& program, const SlowSettings& settings, Bytes budget)
      : program_(program), settings_(settings), budget_(budget), state_(program) {}

  RunResult result() {
    try {
      for (const Command& command : program_.commands()) obey(command);
      under_way_ = static_cast<OperatorId>(program_.operators().size());
      for (TensorId t : program_.pins()) pin(t);
      result_.outcome = Outcome::ok;
    } catch (const RunEnded& end) {
      result_.outcome = end.outcome;
    }
    return result_;
  }

 private:
  Measures& measures() { return result_.measures; }
  StorageId storage_of(TensorId t) const { return program_.tensors()[t].storage; }
  Bytes pinned_bytes() const { return resident_ - state_.pooled_bytes(); }

  void obey(const Command& command) {
    switch (command.kind) {
      case Command::Kind::issue:
        return issue(command.id);
      case Command::Kind::get:
        ++state_.storages[storage_of(command.id)].references;
        return;
      case Command::Kind::release:
        return release(command.id);
    }
  }

  // Section 3.
  void issue(OperatorId op) {
    const Operator& o = program_.operators()[op];
    under_way_ = op;
    state_.introduce(op);
    materialize(o.first_output, false, 1);
    for (TensorId t = o.first_output; t < o.first_output + o.output_count; ++t)
      state_.storages[storage_of(t)].last_access = measures().clock;
    if (o.constant) pin(o.first_output);
  }

  // Section 4.
  void materialize(TensorId t, bool is_rematerialization, std::int64_t depth) {
    const OperatorId op = program_.tensors()[t].op;
    if (is_rematerialization) ++measures().remats;
    measures().max_depth = std::max(measures().max_depth, depth);

    std::vector<TensorId> undefined;
    for (TensorId a : program_.arguments(op)) state_.storages[storage_of(a)].last_access = measures().clock;
    for (TensorId a : program_.arguments(op)) {
      if (state_.defined[a]) {
        state_.lock(storage_of(a));
      } else {
        undefined.push_back(a);
      }
    }
    for (TensorId a : undefined) {
      if (!state_.defined[a]) materialize(a, true, depth + 1);
      state_.lock(storage_of(a));
    }
    make_room(program_.operators()[op].total_size, depth);
    compute(t, is_rematerialization);
    for (TensorId a : program_.arguments(op)) state_.unlock(storage_of(a));
    if (settings_.overhead_limit.exceeded(measures().remat_compute, program_.total_cost()))
      throw RunEnded{Outcome::thrashed};
  }

  // Section 4, step 4.
  void make_room(Bytes request, std::int64_t depth) {
    while (true) {
      if (const Bytes pinned = pinned_bytes(); pinned > measures().peak_pinned) {
        measures().peak_pinned = pinned;
        measures().depth_at_peak_pinned = depth;
      }
      const Bytes threshold = resident_ + request;
      if (threshold <= budget_) {
        result_.certificate.lo = std::max(result_.certificate.lo, threshold);
        return;
      }
      result_.certificate.hi = std::min(result_.certificate.hi, threshold);
      if (state_.pool.empty()) {
        result_.failure = Failure{request, threshold - budget_, depth, pinned_bytes()};
        throw RunEnded{Outcome::oom};
      }
      const StorageId victim = choose_slowly(state_, settings_.policy,
                                             {measures().clock, threshold, budget_, resident_}, result_.certificate);
      if (victim == kNone) {
        result_.fault = PolicyFault{under_way_, kScoreNotANumber};
        throw RunEnded{Outcome::policy_error};
      }
      result_.victims.push_back(program_.storages()[victim].root);
      ++measures().evictions_by_policy;
      evict(victim);
    }
  }

  // Section 4, step 5.
  void compute(TensorId t, bool is_rematerialization) {
    const Operator& op = program_.operators()[program_.tensors()[t].op];
    measures().clock += op.cost;
    (is_rematerialization ? measures().remat_compute : measures().model_compute) += op.cost;
    resident_ += op.total_size;
    measures().peak_resident = std::max(measures().peak_resident, resident_);
    for (TensorId sibling = op.first_output; sibling < op.first_output + op.output_count; ++sibling)
      if (state_.defined[sibling]) resident_ -= program_.tensors()[sibling].size;
    state_.compute(t);
  }

  // Section 5.
  void evict(StorageId storage) {
    resident_ -= program_.storages()[storage].size;
    state_.evict(storage);
  }

  // Section 6.
  void release(TensorId t) {
    const StorageId id = storage_of(t);
    SlowStorage& storage = state_.storages[id];
    --storage.references;
    if (settings_.dealloc == Dealloc::ignore) return;
    if (storage.references == 0 && storage.material && !storage.pinned) {
      ++measures().evictions_on_release;
      evict(id);
    }
  }

  void pin(TensorId t) {
    if (!state_.defined[t]) materialize(t, true, 1);
    state_.lock(storage_of(t));
    state_.storages[storage_of(t)].pinned = true;
  }

  const Program& program_;
  const SlowSettings& settings_;
  Bytes budget_;
  SlowState state_;
  Bytes resident_ = 0;
  OperatorId under_way_ = 0;
  RunResult result_;
};

}  // namespace

RunResult run_slowly(const Program& program, const SlowSettings& settings, Bytes budget) {
  return SlowRun(program, settings, budget).result();
}

Bytes slow_peak_of(const Program& program) {
  SlowSettings settings;
  settings.policy.name = "LRU";
  return run_slowly(program, settings, Certificate::kUnbounded).measures.peak_resident;
}

}  // namespace pothole
