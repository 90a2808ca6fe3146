// The smallest program with a hole of a policy, in the order of shrinker/order.h, or that there is none, within bounds:
// operators of one fresh output each, without aliases, constants, gets or repeated arguments.
//
// Programs are searched by operators, then by edges, fewest first, each such group to its end; the first with a hole
// has the smallest. In a group only what may come before the smallest hole so far is looked at.
#pragma once

#include <functional>
#include <optional>

#include "shrinker/skeleton_search.h"

namespace pothole {

// Where a search stands: all programs with fewer operators, or as many and fewer edges, have no hole; of the group of
// `operators` and `edges`, skeletons numbered below `next_skeleton` are searched, and `best` is their smallest hole.
struct SmallestProgress {
  std::uint32_t operators = 1;
  std::uint32_t edges = 0;
  std::uint64_t next_skeleton = 0;
  std::optional<SmallHole> best;
  bool misbehaved = false;  // the policy did what no policy may, in an execution that was looked at
};

struct SmallestSearch {
  unsigned threads = 0;                     // as for with_threads
  const std::atomic<bool>* stop = nullptr;  // once set, what is under way is left out
  std::optional<Rank> below;                // only holes that come before
  std::function<void(const SmallestProgress& so_far, double share)> on_progress;  // share: of the skeletons
};

struct Smallest {
  SmallestProgress progress;
  bool complete = false;  // all was searched, up to progress.best

  // That progress.best is the smallest, or without it that there is none. What a policy would do that did what no
  // policy may, nobody knows.
  bool proved() const { return complete && !progress.misbehaved; }
};

// Empty if the bounds can be searched, else why not.
std::string why_not_searchable(const SmallestBounds& bounds);

// Goes on from where an earlier search with the same settings, bounds and `below` was. The settings are runnable. The
// result depends on neither threads nor interruptions.
Smallest smallest_hole(const RunSettings& settings, const SmallestBounds& bounds, const SmallestSearch& search = {},
                       SmallestProgress from = {});

// The hole that was found before at this place; nothing if there is no such place within bounds, or no hole.
std::optional<SmallHole> hole_at(const RunSettings& settings, const SmallestBounds& bounds, std::uint64_t skeleton,
                                 const std::vector<Bytes>& sizes, const std::vector<Cost>& costs);

// The program that a hole was found in.
Program program_of(const SmallHole& hole, const SmallestBounds& bounds);

// Whether a program with a hole is the smallest there is within bounds: nothing if no smaller one was found, which is
// a proof if the search is complete.
inline Smallest hole_smaller_than(const Rank& rank, const RunSettings& settings, const SmallestBounds& bounds,
                                  SmallestSearch search = {}) {
  search.below = rank;
  return smallest_hole(settings, bounds, search);
}

}  // namespace pothole
