// Tells of a hole once it is known exactly, while the search goes on: all of its budgets are certified
// and so are the ok ones on both sides of it.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "engine/feasibility_map.h"

namespace pothole {

class HoleWatch {
 public:
  // The holes that these executions complete; each hole is told once. Unresolved ones say nothing.
  std::vector<Hole> add(std::span<const Execution> executions);

 private:
  // Adjoining executions that are all ok, or all not.
  struct Stretch {
    Bytes to = 0;
    bool ok = false;
    Bytes oom_bytes = 0, thrashed_bytes = 0, policy_error_bytes = 0;
  };
  using Stretches = std::map<Bytes, Stretch>;

  Stretches::iterator insert(const Execution& execution);
  void tell_if_complete(Stretches::iterator stretch, std::vector<Hole>& holes);

  Stretches stretches_;  // by their first budget
  std::set<Bytes> told_;
};

}  // namespace pothole
