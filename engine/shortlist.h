// The members of a pool that can be chosen for a while, so that most choices look at a few of them only.
//
// While time and what comes back stay within a horizon, a score falls by a known amount at most: its
// staleness grows with the clock, its forward region only grows while it stays in the pool (engine/regions.h),
// its reverse region loses what comes back. So a bound at the horizon holds until then. The shortlist
// takes the members with the least of these bounds; no other one's score falls below `others_at_least`.
// A choice among the shortlist and later members is the choice among all if it stays below that.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/units.h"

namespace pothole {

struct Shortlist {
  struct Member {
    StorageId storage = 0;
    std::uint64_t stamp = 0;  // it has left the pool if the storage table's is another
  };
  std::vector<Member> members;  // in the order of the pool; none: there is no shortlist
  std::uint64_t stamp_end = 0;  // members of the pool with this stamp or a later one came after it was made
  double others_at_least = 0;
  // The horizon.
  Tick clock = 0;
  std::int64_t returns = 0;
  Cost returned_compute = 0;
};

}  // namespace pothole
