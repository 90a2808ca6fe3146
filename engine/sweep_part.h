// A part of the merged sweep that is under way, as what it takes to set it up again: each of its states is that of
// any of its executions after so many materializations, so that one run at a single budget makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/feasibility_map.h"

namespace pothole {

struct SweepPart {
  // Budgets [from, to) of one execution so far.
  struct Branch {
    Bytes from = 0, to = 0;
    std::int64_t steps = 0;  // materializations
    friend bool operator==(const Branch&, const Branch&) = default;
  };
  struct PartState {
    std::uint64_t digest = 0;      // digest_of(State)
    bool done = false;             // with the place; otherwise under way there
    std::vector<Branch> branches;  // ascending, disjoint, not empty
    friend bool operator==(const PartState&, const PartState&) = default;
  };

  std::size_t place = 0;  // in the trace: a command, or after all commands a pin
  SearchWork work;
  // Steps since it was last looked at and since it last shed, and how many are to pass before it sheds: they decide
  // what becomes a part of its own, and with that every count.
  std::int64_t steps_since_look = 0, steps_since_shed = 0, steps_before_shedding = 0;
  std::vector<PartState> states;  // in the order in which they go on
  friend bool operator==(const SweepPart&, const SweepPart&) = default;
};

// How a part stands; `under_way` is null once it has come to its end.
struct PartReport {
  std::size_t part = 0;  // its number within the search
  SearchWork work;
  std::shared_ptr<const SweepPart> under_way;
};

}  // namespace pothole
