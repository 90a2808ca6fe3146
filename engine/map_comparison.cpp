#include "engine/map_comparison.h"

#include <algorithm>

#include "engine/geometric_mean.h"
#include "engine/parallel.h"

namespace pothole {
namespace {

// Calls back for each part of the range in which neither map changes; null is a budget that was not reached.
template <class Body>
void for_each_part(const FeasibilityMap& base, const FeasibilityMap& head, const Body& body) {
  std::size_t a = 0, b = 0;
  for (Bytes from = base.from; from < base.to;) {
    Bytes to = base.to;
    const auto at = [&](const FeasibilityMap& map, std::size_t& next) -> const Execution* {
      while (next < map.executions.size() && map.executions[next].to <= from) ++next;
      if (next == map.executions.size()) return nullptr;
      const Execution& e = map.executions[next];
      to = std::min(to, e.from > from ? e.from : e.to);
      return e.from > from ? nullptr : &e;
    };
    const Execution* const x = at(base, a);
    const Execution* const y = at(head, b);
    body(BudgetRange{from, to}, x, y);
    from = to;
  }
}

bool has_outcome(const Execution* e) { return e != nullptr && is_evidence(e->outcome); }

Cost whole_compute(const Execution& e) { return e.model_compute + e.remat_compute; }

void compare_outcomes(const FeasibilityMap& base, const FeasibilityMap& head, MapComparison& c) {
  GeometricMean mean;
  std::optional<std::pair<Cost, Cost>> worst;
  for_each_part(base, head, [&](BudgetRange part, const Execution* x, const Execution* y) {
    const Bytes bytes = part.to - part.from;
    if (!has_outcome(x) || !has_outcome(y)) {
      c.unresolved += bytes;
      return;
    }
    const bool base_ok = x->outcome == Outcome::ok, head_ok = y->outcome == Outcome::ok;
    (base_ok ? head_ok ? c.both_ok : c.base_only : head_ok ? c.head_only : c.neither) += bytes;
    if (!base_ok || !head_ok || x->model_compute <= 0) return;
    const Cost before = whole_compute(*x), after = whole_compute(*y);
    mean.add(after, before, bytes);
    if (worst && static_cast<WideCost>(after) * worst->second <= static_cast<WideCost>(worst->first) * before) return;
    worst = {after, before};
    c.worst_at = part;
  });
  c.mean_overhead = mean.value();
  if (worst) c.worst_overhead = static_cast<double>(worst->first) / static_cast<double>(worst->second);
}

bool overlap(const Hole& a, const Hole& b) { return a.from < b.to && b.from < a.to; }

// Of holes in the light of another map.
std::vector<HoleChange> changes(const std::vector<Hole>& holes, const std::vector<Hole>& others,
                                const FeasibilityMap& other_map) {
  std::vector<HoleChange> all;
  for (const Hole& hole : holes) {
    HoleChange change{hole, hole.to - hole.from, 0};
    for (const Hole& other : others)
      change.more -= std::max<Bytes>(0, std::min(hole.to, other.to) - std::max(hole.from, other.from));
    Bytes ok = 0;
    for (const Execution& e : other_map.executions)
      if (e.outcome == Outcome::ok) ok += std::max<Bytes>(0, std::min(hole.to, e.to) - std::max(hole.from, e.from));
    change.failing_there = change.more - ok;  // no hole has a budget that completes
    all.push_back(change);
  }
  return all;
}

void compare_holes(const FeasibilityMap& base, const FeasibilityMap& head, MapComparison& c) {
  const std::vector<Segment> before = segments_of(base), after = segments_of(head);
  const std::vector<Hole> base_holes = holes_of(before), head_holes = holes_of(after);
  c.base_first = first_success_of(before);
  c.head_first = first_success_of(after);
  c.base_stable = stable_from_of(before);
  c.head_stable = stable_from_of(after);
  for (const Hole& hole : base_holes) c.base_hole_bytes += hole.to - hole.from;
  for (const Hole& hole : head_holes) c.head_hole_bytes += hole.to - hole.from;
  const auto meets = [](const Hole& hole, const std::vector<Hole>& others) {
    return std::any_of(others.begin(), others.end(), [&](const Hole& other) { return overlap(hole, other); });
  };
  for (const HoleChange& change : changes(head_holes, base_holes, base)) {
    if (!meets(change.hole, base_holes))
      c.opened.push_back(change);
    else if (change.more > 0)
      c.widened.push_back(change);
  }
  for (const HoleChange& change : changes(base_holes, head_holes, head))
    if (!meets(change.hole, head_holes)) c.closed.push_back(change);
}

}  // namespace

MapComparison compare_maps(const FeasibilityMap& base, const FeasibilityMap& head) {
  MapComparison c;
  compare_outcomes(base, head, c);
  compare_holes(base, head, c);
  c.same_map = base.executions == head.executions;
  return c;
}

std::optional<std::vector<std::uint64_t>> decision_digests(const Program& program, const RunSettings& settings,
                                                           const FeasibilityMap& map, const std::atomic<bool>* stop) {
  std::vector<std::uint64_t> digests(map.executions.size());
  parallel_for(digests.size(), [&](std::size_t i) {
    RunOptions options;
    options.stop = stop;
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return;
    if (is_evidence(map.executions[i].outcome))
      digests[i] = run(program, settings, map.executions[i].from, options).decision_digest;
  });
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) return std::nullopt;
  return digests;
}

}  // namespace pothole
