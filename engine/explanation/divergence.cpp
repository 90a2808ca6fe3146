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

Divergence::Phases phases_of(const History& history, std::optional<std::size_t> parting, std::uint32_t failing) {
  Divergence::Phases phases;
  const std::size_t apart = parting.value_or(history.events.size());
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    const Event& event = history.events[i];
    if (event.place > failing || (event.place < failing && i < apart)) continue;
    PhaseCount& phase = event.place == failing ? phases.inside : phases.apart;
    phase.evictions_by_policy += event.kind == Event::Kind::evicted;
    phase.evictions_on_release += event.kind == Event::Kind::released;
    phase.remats += event.kind == Event::Kind::entered && event.remat;
  }
  return phases;
}

}  // namespace

Divergence divergence_of(const History& ok, const History& oom) {
  Divergence d;
  d.all = parting_of(ok, oom, true);
  d.by_policy = parting_of(ok, oom, false);
  d.failing_place = oom.last_asked.place;
  d.ok = phases_of(ok, d.all.ok, d.failing_place);
  d.oom = phases_of(oom, d.all.oom, d.failing_place);
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
