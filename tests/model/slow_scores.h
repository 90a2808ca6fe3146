// How the slow model chooses a victim (semantics section 7), with integers of any length.
#pragma once

#include <string>

#include "engine/outcome.h"
#include "tests/model/slow_expression.h"
#include "tests/model/slow_state.h"

namespace pothole {

// The parameters of the policies that have some, at their standard values.
struct SlowPolicy {
  std::string name;            // or an alias of it
  double penalty = 0.25;       // b of NbhdPenalty
  std::int64_t largest = 8;    // k of TwoPhase
  double thrash_penalty = 1;   // a of ThrashPen
  double tie = 1e-6;           // rel of TieAware
  double locked_share = 0.3;   // alpha of TControlInspired
  double locked_floor = 0.01;  // and its floor
  std::string score = {};      // an expression, which then is all there is
  Comparison comparison = Comparison::reference;
};

bool is_known_to_slow_model(const SlowPolicy& policy);

// What a decision may ask.
struct SlowRequest {
  Tick clock = 0;
  Bytes threshold = 0;  // resident + total_size: the least budget that would meet the request
  Bytes budget = 0;
  Bytes resident = 0;
  std::size_t place = 0;  // the operator that the trace is at, or the number of operators plus that of the pin
  std::vector<StorageId> by_centrality;  // if the policy reads it
};

// The victim, a member of the pool, which is not empty; kNone where a score is not a number. Narrows the certificate to
// the contiguous budgets around the actual one at which the same victim is chosen.
StorageId choose_slowly(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request,
                        Certificate& certificate);

}  // namespace pothole
