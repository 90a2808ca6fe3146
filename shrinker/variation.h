// What of a small program may vary without its hole going: found by trying every integer outward from what it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/feasibility_map.h"
#include "engine/program.h"
#include "shrinker/values.h"

namespace pothole {

// Whole numbers from `least` to `most` for which something holds without a gap. An end is open if nothing is known of
// the number beyond it: the search ended there, or the executions have no outcome.
struct VariationRange {
  std::int64_t least = 0, most = 0;
  bool least_is_open = false, most_is_open = false;
};

struct VariedValue {
  Quantity quantity = Quantity::size;
  std::uint32_t of = 0;  // the root tensor of a storage, or the operator
  std::int64_t value = 0;
  VariationRange same_budgets;  // the three budgets still complete, fail and complete
  VariationRange any_hole;      // there is a hole at some budget
};

struct Variation {
  // From the map: of each of the three budgets, with the others as they are.
  VariationRange ok, oom, ok_above;
  std::vector<VariedValue> values;  // sizes of storages, then costs of operators
};

inline constexpr std::size_t kVariedOperators = 40;
inline constexpr std::int64_t kVariedSpan = 64;

struct VariationLimits {
  std::int64_t steps_max = 0;  // of one execution
  std::int64_t span = 0;       // integers tried in each direction
  const std::atomic<bool>* stop = nullptr;
};

// In parallel. The witness shows a hole of the policy.
Variation variation_of(const Program& program, const RunSettings& settings, const Witness& witness,
                       const VariationLimits& limits);

}  // namespace pothole
