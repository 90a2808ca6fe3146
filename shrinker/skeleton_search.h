// The smallest hole among the programs of one skeleton.
//
// Sizes without a possible hole are left out whatever the costs (shrinker/possibilities.h); of the rest all costs are
// tried together where the policy allows (shrinker/shared_costs.h), else one after the other. What is found is known
// by its exact map.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "shrinker/order.h"
#include "shrinker/shared_costs.h"

namespace pothole {

struct SmallestBounds {
  std::uint32_t operators = 4;  // at most, of one fresh output each
  Bytes size_most = 6;          // from 1
  Cost cost_most = 6;           // likewise
  EnumerationBounds::Arguments arguments = EnumerationBounds::Arguments::lists;
  bool late_uses = false;  // of tensors that were released
  bool outputs = true;     // else everything is released, and nothing is brought back at the end

  // The largest numbers of operators, and of assignments of sizes or of costs, that are searched.
  static constexpr std::uint32_t kOperatorsMost = Shape::kOperatorsMost;
  static constexpr std::int64_t kAssignmentsMost = 1 << 17;
};

// A program with a hole, by its place in the enumeration.
struct SmallHole {
  std::uint64_t skeleton = 0;  // among those of enumeration_bounds()
  std::vector<Bytes> sizes;
  std::vector<Cost> costs;
  Rank rank;
};

// Of a small program, all of its budgets: exact.
FeasibilityMap exact_map(const Program& program, const RunSettings& settings);

// That of the program with the best of its holes; nothing if the map has none.
std::optional<Rank> smallest_rank(const Program& program, const FeasibilityMap& map);

// Exactly so many operators.
EnumerationBounds enumeration_bounds(const SmallestBounds& bounds, std::uint32_t operators);

// What programs of equal operators and edges have to be below to be of interest; shared by threads.
class RankLimit {
 public:
  // The largest number of distinct sizes and costs that is left for programs of so many bytes.
  std::int64_t values_most(Bytes total) const;
  void lower(const Rank& rank);

 private:
  std::atomic<std::int64_t> values_ = std::numeric_limits<std::int64_t>::max() / 2;
  std::atomic<Bytes> total_ = 0;
  mutable std::mutex mutex_;  // of writers
};

// What is common to all skeletons with so many operators.
struct SmallestFamily {
  SmallestFamily(const RunSettings& settings, const SmallestBounds& bounds, std::uint32_t operators);
  const RunSettings& settings;
  EnumerationBounds bounds;
  SizeTable sizes;
  CostTable costs;
};

// Of one thread.
class SkeletonSearch {
 public:
  SkeletonSearch(const SmallestFamily& family, RankLimit& limit, const std::atomic<bool>& stop);

  // Puts the smallest hole of the skeleton into `best` if that is empty or larger. Programs beyond the limit may be
  // left out, and it is lowered. Failures before the last operator may be left out: the caller knows that there are
  // no holes with fewer operators. Incomplete once `stop` is set.
  void search(const Skeleton& skeleton, std::uint64_t number, std::optional<SmallHole>& best);

  // A policy did what no policy may, in an execution that was looked at.
  bool misbehaved() const { return misbehaved_ || (shared_ && shared_->misbehaved()); }

 private:
  void learn_possibilities(const Shape& shape, std::uint32_t from_place);
  bool is_possible(const SizeAssignment& sizes);
  void try_costs(const SizeAssignment& sizes, const std::vector<std::uint32_t>& codes, bool holes_expected);
  std::vector<std::uint32_t> codes_to_try(const SizeAssignment& sizes, std::int64_t values_most);
  void look_at(const SizeAssignment& sizes, const CostTable::Costs& costs, bool hole_expected);
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }

  const SmallestFamily& family_;
  RankLimit& limit_;
  const std::atomic<bool>& stop_;
  const bool reasons_;  // about what is possible
  Possibilities possibilities_;
  Possibilities scout_;  // forgets one budget before the next, and so stays small
  std::optional<SharedCosts> shared_;
  std::vector<std::uint8_t> can_complete_, can_fail_;  // from the start, by fits
  bool misbehaved_ = false;

  // Of the skeleton under way.
  SkeletonPrograms* programs_ = nullptr;
  std::uint64_t number_ = 0;
  bool may_thrash_ = false;
  std::optional<SmallHole>* best_ = nullptr;
};

}  // namespace pothole
