// What a policy sees when it chooses: the pool in order, numbers about its members, and a door to
// threshold questions about the budget. Read-only, but for caches.
#pragma once

#include <algorithm>
#include <limits>

#include "engine/budget_window.h"
#include "engine/hash.h"
#include "engine/policy.h"
#include "engine/position.h"
#include "engine/program.h"
#include "engine/regions.h"
#include "engine/run.h"
#include "engine/state.h"
#include "engine/workspace.h"

namespace pothole {

// The letters of semantics section 7. Fields of features that the policy does not declare are unset.
struct Candidate {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  Cost compute = 0;    // c
  Bytes size = 0;      // m
  Tick staleness = 0;  // s
  Tick last_access = 0;
  WideCost forward = 0;         // C(F)
  WideCost reverse = 0;         // C(R)
  std::int64_t neighbours = 0;  // |F| + |R|
  WideCost classes = 0;         // Q
  WideCost united = 0;          // C(F union R)
  Tick united_staleness = 0;    // s'
  std::int64_t evictions = 0;   // k, so far
  Tick arrival = 0;             // the clock when it became resident
  std::int64_t next_use = 0;    // a place of Program::uses(), kNever if there is none
};

class PoolView {
 public:
  PoolView(const Program& program, const Position& position, const Regions& regions, Workspace& workspace, State& state,
           BudgetWindow& window, Bytes request, const RunSettings& settings)
      : program_(program),
        position_(position),
        regions_(regions),
        workspace_(workspace),
        state_(state),
        window_(window),
        request_(request),
        settings_(settings) {}

  // Members in order, kNone where there is a hole. At least one member.
  std::span<const StorageId> slots() const { return state_.pool.slots(); }
  std::uint32_t size() const { return state_.pool.size(); }
  StorageId member(std::uint32_t i) const { return state_.pool.member(i); }

  Tick clock() const { return state_.clock; }
  Bytes resident() const { return state_.resident; }
  Bytes request() const { return request_; }  // what room is asked for
  Comparison comparison() const { return settings_.comparison; }

  TensorId root(StorageId member) const { return program_.storages()[member].root; }
  Bytes size_of(StorageId member) const { return program_.storages()[member].size; }
  // As far as the trace has been read, the operator under way included.
  std::int64_t tensors_of(StorageId member) const;
  std::int64_t children_of(StorageId member) const;  // storages

  // Would the request fit once `freed` more bytes were free? Narrows the certificate.
  bool fits_after(Bytes freed) { return budget_at_least(state_.resident + request_ - freed); }

  // Of budgets above what is resident and below what that and the request take.
  bool budget_at_least(Bytes threshold) { return window_.at_least(threshold); }

  std::size_t storage_count() const { return program_.storages().size(); }
  // How many storages of the program are more central.
  std::uint32_t centrality_rank(StorageId member) const { return program_.centrality_ranks()[member]; }

  // For messages, not for decisions.
  struct Place {
    OperatorId op;  // as in PolicyFault
    Bytes budget;
    std::string_view trace;
  };
  Place place_to_name() const {
    return {position_.is_pending() ? position_.pending().op : position_.issued(), window_.budget_to_name(),
            settings_.trace};
  }

  // For policies that declare Feature::opaque only.
  Bytes opaque_budget() { return window_.opaque_budget(); }

  // Uniform in 0 .. bound-1, from the run's seed and the number of draws so far.
  std::uint64_t draw(std::uint64_t bound);

  // For a policy that has no victim to name, although there is one: what the policy did. The run ends here.
  StorageId misbehaved(std::string_view why) {
    fault_ = why;
    return kNone;
  }
  std::string_view fault() const { return fault_; }  // empty if there was none

  // The regions that the features ask for are known, not merely bounded from below.
  bool regions_known(StorageId member, Features needs) const {
    if (!state_.stored.empty()) return true;
    return (!needs.has(Feature::forward) || regions_.forward_known(state_, member)) &&
           (!needs.has(Feature::reverse) || regions_.reverse_known(state_, member));
  }
  void learn_regions(StorageId member) {
    if (state_.stored.empty()) regions_.evaluate(state_, member);
  }

  // Region values are lower bounds unless regions_known().
  Candidate candidate(StorageId member, Features needs) const;

  // The candidate whose score is the least that the member's can be until the horizon.
  Candidate candidate_until(StorageId member, const Shortlist& horizon) const;

  // Fills workspace().items with the members in order, without bounds.
  void collect_all();
  // Likewise with those of the shortlist and later members; false if there is none or its horizon is past.
  bool collect_shortlisted();
  // A shortlist without members yet, with a horizon. None where region values may fall at any time, or
  // where the pool is so small that it does not pay.
  bool begin_shortlist();
  // Ends with the items of the least bounds as members.
  void end_shortlist();
  const Shortlist& shortlist() const { return state_.shortlist; }

  Workspace& workspace() { return workspace_; }

 private:
  std::int64_t next_use(StorageId member) const;
  WideCost class_sum(StorageId member) const;
  void unite(StorageId member, Candidate& candidate) const;

  const Program& program_;
  const Position& position_;
  const Regions& regions_;
  Workspace& workspace_;
  State& state_;
  BudgetWindow& window_;
  Bytes request_;
  const RunSettings& settings_;
  std::string_view fault_;
};

// Inlined whatever the size, so that the fields that a score does not read cost nothing.
[[gnu::always_inline]] inline Candidate PoolView::candidate(StorageId member, Features needs) const {
  Candidate c;
  c.compute = position_.compute(member);
  c.size = program_.storages()[member].size;
  c.last_access = state_.storages[member].last_access;
  c.staleness = state_.clock - c.last_access;
  if (needs.has(Feature::forward) || needs.has(Feature::reverse)) {
    if (state_.stored.empty()) [[likely]] {
      c.forward = regions_.forward(state_, member);
      c.reverse = regions_.reverse(state_, member);
      c.neighbours = std::int64_t{regions_.forward_count(state_, member)} + regions_.reverse_count(state_, member);
    } else {
      const StoredRegion &f = state_.stored.forward(member), &r = state_.stored.reverse(member);
      c.forward = f.compute;
      c.reverse = r.compute;
      c.neighbours = static_cast<std::int64_t>(f.interior.size() + r.interior.size());
    }
  }
  if (needs.has(Feature::classes)) c.classes = class_sum(member);
  if (needs.has(Feature::union_walk)) unite(member, c);
  if (needs.has(Feature::evictions)) c.evictions = state_.storages[member].evictions;
  if (needs.has(Feature::arrivals)) c.arrival = state_.arrivals[member];
  if (needs.has(Feature::next_use)) c.next_use = next_use(member);
  return c;
}

[[gnu::always_inline]] inline Candidate PoolView::candidate_until(StorageId member, const Shortlist& horizon) const {
  Candidate c;
  c.compute = position_.compute(member);
  c.size = program_.storages()[member].size;
  c.last_access = state_.storages[member].last_access;
  c.staleness = horizon.clock - c.last_access;
  const RegionSum forward = regions_.forward_until(state_, member);
  const RegionSum reverse = regions_.reverse_until(state_, member, horizon);
  c.forward = forward.compute;
  c.reverse = reverse.compute;
  c.neighbours = std::int64_t{forward.count} + reverse.count;
  c.evictions = state_.storages[member].evictions;  // it stays in the pool until then
  return c;
}

}  // namespace pothole
