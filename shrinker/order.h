// What is smaller: a total order of programs with a hole. Equal ranks mean equal programs, up to names, and equal
// budgets.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "engine/feasibility_map.h"
#include "engine/program.h"

namespace pothole {

// Compared member by member, in this order.
struct Rank {
  std::int64_t operators = 0;          // constants are operators
  std::int64_t tensors = 0;            // aliases are tensors
  std::int64_t edges = 0;              // arguments, repeats counted
  std::int64_t values = 0;             // distinct sizes of storages and distinct costs of operators, together
  Bytes total_bytes = 0;               // of all storages
  Bytes width = 0;                     // from the completing budget below to the one above
  Witness witness;                     // the budgets
  std::vector<std::int64_t> spelling;  // the program as numbers: commands and outputs, in trace order, fewer first

  friend auto operator<=>(const Rank&, const Rank&) = default;  // NOLINT(modernize-use-nullptr)
};

Rank rank_of(const Program& program, const Witness& witness);

}  // namespace pothole
