// How a run ends and what is measured on the way (semantics section 10).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/decisions.h"
#include "engine/units.h"

namespace pothole {

enum class Outcome : std::uint8_t {
  ok,
  oom,
  thrashed,      // rematerialized more than the overhead limit allows
  unresolved,    // stopped by a limit of ours: evidence of nothing
  policy_error,  // the policy did what no policy may: evidence of nothing either
};

constexpr std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return "ok";
    case Outcome::oom:
      return "oom";
    case Outcome::thrashed:
      return "thrashed";
    case Outcome::unresolved:
      return "unresolved";
    case Outcome::policy_error:
      return "policy error";
  }
  return "";
}

// Others say nothing of the trace and the policy's rule.
constexpr bool is_evidence(Outcome outcome) {
  return outcome == Outcome::ok || outcome == Outcome::oom || outcome == Outcome::thrashed;
}

// Why a run may be unresolved.
inline constexpr std::string_view kInterrupted = "interrupted";
inline constexpr std::string_view kStepLimit = "step limit";
inline constexpr std::string_view kMemoryLimit = "memory limit";
inline constexpr std::string_view kBanishedNeeded = "a banished storage is needed";
inline constexpr std::string_view kClockOverflow = "the clock passes 2^63";
inline constexpr std::string_view kScheduleNotFollowed = "a scheduled victim is not in the pool";

// What a policy did that no policy may.
inline constexpr std::string_view kScoreNotANumber = "a score is not a number";

struct PolicyFault {
  // Of the trace, the one under way; their number while outputs are brought back at its end.
  OperatorId op = kNone;
  std::string_view why;  // lives as long as the policy does
  friend bool operator==(const PolicyFault&, const PolicyFault&) = default;
};

// The budgets [lo, hi) at which the execution is identical, decision for decision: lo is the largest
// threshold answered "fits" (0 where none was), hi the smallest answered "does not fit".
struct Certificate {
  static constexpr Bytes kUnbounded = std::numeric_limits<Bytes>::max();
  Bytes lo = 0;
  Bytes hi = kUnbounded;
  friend bool operator==(const Certificate&, const Certificate&) = default;
};

// On a run that did not complete these are the values at its end.
struct Measures {
  Tick clock = 1;
  Cost model_compute = 0;
  Cost remat_compute = 0;
  Bytes peak_resident = 0;
  std::int64_t evictions_by_policy = 0;
  std::int64_t evictions_on_release = 0;
  std::int64_t remats = 0;                // counted when entered
  std::int64_t max_depth = 0;             // deepest nesting; an operator of the trace has depth 1
  Bytes peak_pinned = 0;                  // resident bytes outside the pool, when room is asked for
  std::int64_t depth_at_peak_pinned = 0;  // where that peak was first reached
  friend bool operator==(const Measures&, const Measures&) = default;
};

// The request that an empty pool could not meet.
struct Failure {
  Bytes request = 0;
  Bytes over_by = 0;  // resident + request - budget
  std::int64_t depth = 0;
  Bytes pinned = 0;
  friend bool operator==(const Failure&, const Failure&) = default;
};

struct RunResult {
  Outcome outcome = Outcome::unresolved;
  std::string_view why_unresolved;  // empty unless unresolved
  Measures measures;
  Certificate certificate;
  std::optional<Failure> failure;    // of an oom run
  std::optional<PolicyFault> fault;  // of a policy error
  std::vector<TensorId> victims;     // root ids in order of the policy's choices, if recorded
  std::vector<Decision> decisions;   // if recorded
  // Of the whole decision history: what was evicted and computed, in order. Equal budgets of one
  // certificate have equal digests, and the budget `hi` has another.
  std::uint64_t decision_digest = 0;
};

}  // namespace pothole
