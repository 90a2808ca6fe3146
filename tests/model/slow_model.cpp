#include "tests/model/slow_model.h"

#include <algorithm>

#include "tests/model/slow_centrality.h"
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
      : program_(program), settings_(settings), budget_(budget), state_(program) {
    if (settings.policy.name == "TControlInspired") by_centrality_ = by_centrality(program);
  }

  RunResult result() {
    try {
      for (const Command& command : program_.commands()) obey(command);
      for (TensorId t : program_.pins()) {
        pin(t);
        ++place_;
      }
      result_.outcome = Outcome::ok;
    } catch (const RunEnded& end) {
      result_.outcome = end.outcome;
    }
    return result_;
  }

 private:
  Measures& measures() { return result_.measures; }
  StorageId storage_of(TensorId t) const { return program_.tensors()[t].storage; }
  bool banishes() const { return settings_.dealloc == Dealloc::banish; }
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
    place_ = op;
    state_.introduce(op);
    materialize(o.first_output, false, 1);
    for (TensorId t = o.first_output; t < o.first_output + o.output_count; ++t)
      state_.storages[storage_of(t)].last_access = measures().clock;
    if (o.constant) pin(o.first_output);
    ++place_;
  }

  // The tensor itself, or an argument, be it back or not.
  bool needs_banished(TensorId t) const {
    const auto is_banished = [&](TensorId a) { return state_.storages[storage_of(a)].banished; };
    const auto arguments = program_.arguments(program_.tensors()[t].op);
    return is_banished(t) || std::any_of(arguments.begin(), arguments.end(), is_banished);
  }

  // Section 4.
  void materialize(TensorId t, bool is_rematerialization, std::int64_t depth) {
    const OperatorId op = program_.tensors()[t].op;
    if (needs_banished(t)) throw RunEnded{Outcome::unresolved};
    if (is_rematerialization) ++measures().remats;
    measures().max_depth = std::max(measures().max_depth, depth);

    std::vector<TensorId> undefined;
    for (TensorId a : program_.arguments(op))
      if (!banishes() || state_.storages[storage_of(a)].references > 0)
        state_.storages[storage_of(a)].last_access = measures().clock;
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
    for (TensorId a : program_.arguments(op))
      if (!state_.defined[a]) throw RunEnded{Outcome::unresolved};  // banished meanwhile
    const std::vector<TensorId> computed = compute(t, is_rematerialization);
    if (banishes()) {
      unlock_and_banish(t, computed);
    } else {
      for (TensorId a : program_.arguments(op)) state_.unlock(storage_of(a));
    }
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
      const SlowRequest asked{measures().clock, threshold, budget_, resident_, place_, by_centrality_};
      const StorageId victim = choose_slowly(state_, settings_.policy, asked, result_.certificate);
      if (victim == kNone) {
        const std::size_t operators = program_.operators().size();
        result_.fault = PolicyFault{static_cast<OperatorId>(std::min(place_, operators)), kScoreNotANumber};
        throw RunEnded{Outcome::policy_error};
      }
      result_.victims.push_back(program_.storages()[victim].root);
      ++measures().evictions_by_policy;
      evict(victim);
    }
  }

  // Section 4, step 5. Gives what was undefined.
  std::vector<TensorId> compute(TensorId t, bool is_rematerialization) {
    const Operator& op = program_.operators()[program_.tensors()[t].op];
    measures().clock += op.cost;
    (is_rematerialization ? measures().remat_compute : measures().model_compute) += op.cost;
    resident_ += op.total_size;
    measures().peak_resident = std::max(measures().peak_resident, resident_);
    std::vector<TensorId> computed;
    std::set<StorageId> arriving;
    for (TensorId sibling = op.first_output; sibling < op.first_output + op.output_count; ++sibling) {
      if (state_.defined[sibling]) {
        resident_ -= program_.tensors()[sibling].size;
      } else {
        computed.push_back(sibling);
      }
      if (!state_.storages[storage_of(sibling)].material) arriving.insert(storage_of(sibling));
    }
    state_.compute(t);
    for (StorageId s : arriving) state_.storages[s].arrival = measures().clock;
    return computed;
  }

  // The older runtime. Its loop goes on to the next index of a list that banishing shortens.
  void unlock_and_banish(TensorId t, const std::vector<TensorId>& computed) {
    for (std::size_t i = 0; i < state_.parents[t].size(); ++i) {
      const StorageId storage = storage_of(state_.parents[t][i]);
      state_.unlock(storage);
      for (TensorId u : computed)
        if (storage_of(u) != storage) state_.storages[storage].waits_for.erase(u);
      banish_if_done_with(storage);
    }
    if (!state_.defined[t]) throw RunEnded{Outcome::unresolved};  // an alias of what was banished
  }

  void banish_if_done_with(StorageId id) {
    SlowStorage& storage = state_.storages[id];
    if (storage.banished || storage.references > 0 || !storage.waits_for.empty()) return;
    if (storage.material) {
      storage.locks = 0;
      ++measures().evictions_on_release;
      evict(id);
    }
    for (StorageId next : state_.banish(id)) pin_storage(next);
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
    if (banishes()) {
      if (storage.references == 0) banish_if_done_with(id);
      return;
    }
    if (storage.references == 0 && storage.material && !storage.pinned) {
      ++measures().evictions_on_release;
      evict(id);
    }
  }

  void pin(TensorId t) {
    if (state_.storages[storage_of(t)].banished) throw RunEnded{Outcome::unresolved};
    if (!state_.defined[t]) materialize(t, true, 1);
    pin_storage(storage_of(t));
  }

  void pin_storage(StorageId storage) {
    if (state_.storages[storage].pinned) return;
    state_.lock(storage);
    state_.storages[storage].pinned = true;
  }

  const Program& program_;
  const SlowSettings& settings_;
  Bytes budget_;
  SlowState state_;
  std::vector<StorageId> by_centrality_;  // of policies that read it
  Bytes resident_ = 0;
  std::size_t place_ = 0;  // operators, then pins
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
