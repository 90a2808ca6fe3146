#include "engine/explanation/divergence.h"

#include <algorithm>

namespace pothole {
namespace {

Parting parting_of(const History& ok, const History& oom, bool with_releases) {
  const auto next = [&](const History& history, std::size_t from) {
    while (from < history.events.size() && history.events[from].kind != Event::Kind::evicted &&
           !(with_releases && history.events[from].kind == Event::Kind::released))
      ++from;
    return from;
  };
  Parting parting;
  std::size_t a = next(ok, 0), b = next(oom, 0);
  while (a < ok.events.size() && b < oom.events.size() && ok.events[a].tensor == oom.events[b].tensor) {
    ++parting.common;
    a = next(ok, a + 1);
    b = next(oom, b + 1);
  }
  if (a < ok.events.size()) parting.ok = a;
  if (b < oom.events.size()) parting.oom = b;
  return parting;
}

void count(const Event& event, PhaseCount& phase) {
  phase.evictions_by_policy += event.kind == Event::Kind::evicted;
  phase.evictions_on_release += event.kind == Event::Kind::released;
  phase.remats += event.kind == Event::Kind::entered && event.remat;
}

Divergence::Phases phases_of(const History& history, std::size_t apart, std::uint32_t failing) {
  Divergence::Phases phases;
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    const Event& event = history.events[i];
    if (event.place > failing || (event.place < failing && i < apart)) continue;
    count(event, event.place == failing ? phases.inside : phases.apart);
  }
  return phases;
}

}  // namespace

Divergence divergence_of(const History& ok, const History& oom) {
  Divergence d;
  d.all = parting_of(ok, oom, true);
  d.by_policy = parting_of(ok, oom, false);
  d.failing_place = oom.last_asked.place;
  // Events up to here are the same in both: what differs may begin before the evictions do.
  const std::size_t apart = std::min(d.all.ok.value_or(ok.events.size()), d.all.oom.value_or(oom.events.size()));
  d.ok = phases_of(ok, apart, d.failing_place);
  d.oom = phases_of(oom, apart, d.failing_place);
  for (std::size_t i = 0; i < apart && oom.events[i].place < d.failing_place; ++i) count(oom.events[i], d.before);
  const auto both =
      static_cast<std::uint32_t>(std::min({std::size_t{d.failing_place}, ok.places.size(), oom.places.size()}));
  for (std::uint32_t place = 0; place < both; ++place) {
    const Bytes difference = std::abs(ok.places[place].peak_pinned - oom.places[place].peak_pinned);
    d.pinned_equal_before_failure = difference == 0 ? d.pinned_equal_before_failure + 1 : 0;
    if (difference <= d.pinned_difference) continue;
    d.pinned_difference = difference;
    d.pinned_difference_at = place;
  }
  return d;
}

}  // namespace pothole
