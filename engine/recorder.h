// What is measured along one execution; decides nothing.
#pragma once

#include <algorithm>

#include "engine/hash.h"
#include "engine/observer.h"
#include "engine/outcome.h"

namespace pothole {

struct Recorder {
  Measures measures;
  bool record_victims = false;
  std::vector<TensorId> victims;
  bool record_decisions = false;
  std::vector<Decision> decisions;
  std::uint64_t decision_digest = 0;
  Observer* observer = nullptr;

  void entered(std::size_t depth, bool remat) {
    measures.remats += remat;
    measures.max_depth = std::max(measures.max_depth, static_cast<std::int64_t>(depth));
  }
  void asked_for_room(Bytes pinned, std::size_t depth) {
    if (pinned <= measures.peak_pinned) return;
    measures.peak_pinned = pinned;
    measures.depth_at_peak_pinned = static_cast<std::int64_t>(depth);
  }
  void evicted(TensorId root, bool by_policy) {
    ++(by_policy ? measures.evictions_by_policy : measures.evictions_on_release);
    if (by_policy && record_victims) victims.push_back(root);
    if (record_decisions) decisions.push_back({by_policy ? Decision::Kind::evicted : Decision::Kind::released, root});
    if (!by_policy && observer) observer->released(root);
    decision_digest = extended(decision_digest, std::uint64_t{root} << 1 | 1);
  }
  void computed(TensorId tensor, Cost cost, bool remat, Tick clock, Bytes resident) {
    (remat ? measures.remat_compute : measures.model_compute) += cost;
    measures.clock = clock;
    measures.peak_resident = std::max(measures.peak_resident, resident);
    if (record_decisions) decisions.push_back({Decision::Kind::computed, tensor});
    decision_digest = extended(decision_digest, std::uint64_t{tensor} << 1);
  }
};

}  // namespace pothole
