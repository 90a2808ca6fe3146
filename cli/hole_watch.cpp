#include "cli/hole_watch.h"

#include <iterator>

namespace pothole {

std::vector<Hole> HoleWatch::add(std::span<const Execution> executions) {
  std::vector<Hole> holes;
  for (const Execution& execution : executions) {
    if (execution.outcome == Outcome::unresolved) continue;
    const auto at = insert(execution);
    if (at != stretches_.begin()) tell_if_complete(std::prev(at), holes);
    tell_if_complete(at, holes);
    if (std::next(at) != stretches_.end()) tell_if_complete(std::next(at), holes);
  }
  return holes;
}

// The stretch that the execution is now part of.
HoleWatch::Stretches::iterator HoleWatch::insert(const Execution& execution) {
  const Bytes width = execution.to - execution.from;
  Stretch stretch{execution.to, execution.outcome == Outcome::ok, execution.outcome == Outcome::oom ? width : 0,
                  execution.outcome == Outcome::thrashed ? width : 0,
                  execution.outcome == Outcome::policy_error ? width : 0};
  Bytes from = execution.from;
  const auto take_over = [&](Stretches::iterator other) {
    stretch.oom_bytes += other->second.oom_bytes;
    stretch.thrashed_bytes += other->second.thrashed_bytes;
    stretch.policy_error_bytes += other->second.policy_error_bytes;
    return stretches_.erase(other);
  };
  auto next = stretches_.lower_bound(from);
  if (next != stretches_.end() && next->first == stretch.to && next->second.ok == stretch.ok) {
    stretch.to = next->second.to;
    next = take_over(next);
  }
  if (next != stretches_.begin()) {
    const auto before = std::prev(next);
    if (before->second.to == from && before->second.ok == stretch.ok) {
      from = before->first;
      take_over(before);
    }
  }
  return stretches_.emplace(from, stretch).first;
}

void HoleWatch::tell_if_complete(Stretches::iterator at, std::vector<Hole>& holes) {
  const auto& [from, stretch] = *at;
  if (stretch.ok || stretch.oom_bytes == 0 || at == stretches_.begin() || std::next(at) == stretches_.end()) return;
  // A neighbour that adjoins is ok, else it would be part of the stretch.
  if (std::prev(at)->second.to != from || std::next(at)->first != stretch.to) return;
  if (told_.insert(from).second)
    holes.push_back(
        {from, stretch.to, stretch.oom_bytes, stretch.thrashed_bytes, 0, stretch.policy_error_bytes, from - 1});
}

}  // namespace pothole
