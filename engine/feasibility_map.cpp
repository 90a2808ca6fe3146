#include "engine/feasibility_map.h"

#include <algorithm>

#include "engine/exact.h"

namespace pothole {
namespace {

// Budget intervals that no execution covers become executions without an outcome.
std::vector<Execution> without_gaps(const FeasibilityMap& map) {
  std::vector<Execution> all;
  Bytes next = map.from;
  const auto fill_to = [&](Bytes to) {
    if (next < to) all.push_back({next, to, Outcome::unresolved, map.why_missing, 0, 0, {}});
  };
  for (const Execution& execution : map.executions) {
    fill_to(execution.from);
    all.push_back(execution);
    next = execution.to;
  }
  fill_to(map.to);
  return all;
}

std::optional<double> overhead_of(const Execution& execution) {
  return overhead_of(execution.outcome, execution.model_compute, execution.remat_compute);
}

}  // namespace

std::optional<double> overhead_of(Outcome outcome, Cost model_compute, Cost remat_compute) {
  if (outcome != Outcome::ok || model_compute <= 0) return std::nullopt;
  return exact::rounded_quotient(WideCost{model_compute} + remat_compute,
                                 static_cast<unsigned __int128>(model_compute));
}

std::vector<Segment> segments_of(const FeasibilityMap& map) {
  std::vector<Segment> segments;
  for (const Execution& execution : without_gaps(map)) {
    if (segments.empty() || segments.back().outcome != execution.outcome)
      segments.push_back({execution.from, execution.to, execution.outcome, {}, {}});
    Segment& segment = segments.back();
    segment.to = execution.to;
    if (const auto overhead = overhead_of(execution)) {
      segment.overhead_min = std::min(*overhead, segment.overhead_min.value_or(*overhead));
      segment.overhead_max = std::max(*overhead, segment.overhead_max.value_or(*overhead));
    }
  }
  return segments;
}

std::vector<Hole> holes_of(const std::vector<Segment>& segments) {
  std::vector<Hole> holes;
  std::optional<Hole> open;  // since the last ok segment
  for (const Segment& segment : segments) {
    if (segment.outcome == Outcome::ok) {
      if (open && open->oom_bytes > 0) {
        open->to = segment.from;
        holes.push_back(*open);
      }
      open = Hole{.from = segment.to, .to = segment.to, .safe_budget = segment.to - 1};
      continue;
    }
    if (!open) continue;
    const Bytes width = segment.to - segment.from;
    (segment.outcome == Outcome::oom            ? open->oom_bytes
     : segment.outcome == Outcome::thrashed     ? open->thrashed_bytes
     : segment.outcome == Outcome::policy_error ? open->policy_error_bytes
                                                : open->unresolved_bytes) += width;
  }
  return holes;
}

std::vector<Witness> witnesses_of(const std::vector<Segment>& segments) {
  std::vector<Witness> witnesses;
  for (const Hole& hole : holes_of(segments)) {
    const auto failed = std::find_if(segments.begin(), segments.end(), [&](const Segment& s) {
      return s.from >= hole.from && s.outcome == Outcome::oom;
    });
    witnesses.push_back({hole.safe_budget, failed->from, hole.to});
  }
  return witnesses;
}

std::vector<CostInversion> cost_inversions_of(const FeasibilityMap& map) {
  std::vector<CostInversion> inversions;
  const Execution* cheapest = nullptr;  // the last of those of the least compute so far
  for (const Execution& execution : map.executions) {
    const auto overhead = overhead_of(execution);
    if (!overhead) continue;
    if (!cheapest || execution.remat_compute <= cheapest->remat_compute) {
      cheapest = &execution;
      continue;
    }
    const CostInversion inversion{execution.from, execution.to, *overhead, cheapest->to - 1, *overhead_of(*cheapest)};
    if (!inversions.empty() && inversions.back().to == inversion.from && inversions.back().overhead == *overhead &&
        inversions.back().smaller_budget == inversion.smaller_budget)
      inversions.back().to = inversion.to;
    else
      inversions.push_back(inversion);
  }
  return inversions;
}

std::vector<UnresolvedInterval> unresolved_of(const FeasibilityMap& map) {
  std::vector<UnresolvedInterval> intervals;
  for (const Execution& execution : without_gaps(map)) {
    if (execution.outcome != Outcome::unresolved) continue;
    if (!intervals.empty() && intervals.back().to == execution.from && intervals.back().why == execution.why_unresolved)
      intervals.back().to = execution.to;
    else
      intervals.push_back({execution.from, execution.to, execution.why_unresolved});
  }
  return intervals;
}

std::vector<PolicyErrorInterval> policy_errors_of(const FeasibilityMap& map) {
  std::vector<PolicyErrorInterval> intervals;
  for (const Execution& execution : map.executions) {
    if (execution.outcome != Outcome::policy_error) continue;
    if (!intervals.empty() && intervals.back().to == execution.from && intervals.back().fault == execution.fault)
      intervals.back().to = execution.to;
    else
      intervals.push_back({execution.from, execution.to, execution.fault});
  }
  return intervals;
}

std::optional<Bytes> first_success_of(const std::vector<Segment>& segments) {
  for (const Segment& segment : segments)
    if (segment.outcome == Outcome::ok) return segment.from;
  return std::nullopt;
}

std::optional<Bytes> stable_from_of(const std::vector<Segment>& segments) {
  if (segments.empty() || segments.back().outcome != Outcome::ok) return std::nullopt;
  return segments.back().from;
}

Bytes certified_bytes_of(const FeasibilityMap& map) {
  Bytes bytes = 0;
  for (const Execution& execution : map.executions)
    if (is_evidence(execution.outcome)) bytes += execution.to - execution.from;
  return bytes;
}

}  // namespace pothole
