#include "shrinker/skeleton_search.h"

#include <algorithm>
#include <stdexcept>

#include "engine/search.h"

namespace pothole {
namespace {

constexpr std::int64_t kRunsOfOpaque = 1 << 20;

// At most so often is an operator brought back: once for each way from it down to an operator of the trace or to an
// output, as a materialization under way brings each argument back once.
Cost remats_most(const Shape& shape) {
  Cost most = 0;
  for (std::uint32_t op = 0; op < shape.operators; ++op) {
    std::array<Cost, Shape::kOperatorsMost> ways{};  // from here down to op
    ways[op] = 1;
    Cost remats = shape.pinned >> op & 1;
    for (std::uint32_t below = op + 1; below < shape.operators; ++below) {
      for (std::uint32_t i = 0; i < shape.steps[below].argument_count; ++i)
        ways[below] += ways[shape.steps[below].arguments[i]];
      remats += ways[below] * (1 + (shape.pinned >> below & 1));
    }
    most = std::max(most, remats);
  }
  return most;
}

bool looks_ahead(const RunSettings& settings) {
  const Features needs = settings.policy.policy->needs;
  return needs.has(Feature::next_use) || needs.has(Feature::centrality);
}

// The sets that fit whatever completes: an operator with its arguments, and what is left at the end.
Fits needs_of(const Shape& shape) {
  Fits needs = Fits{1} << shape.pinned;
  for (std::uint32_t op = 0; op < shape.operators; ++op) needs |= Fits{1} << (shape.steps[op].argument_set | 1u << op);
  return needs;
}

}  // namespace

FeasibilityMap exact_map(const Program& program, const RunSettings& settings) {
  const BudgetRange range{1, program.total_size() + 1};
  if (why_not_certifiable(settings).empty()) return map_by_sweep(program, settings, range);
  SearchControl control;
  control.limits.runs = kRunsOfOpaque;
  return map_by_bisection(program, settings, range, control);
}

std::optional<Rank> smallest_rank(const Program& program, const FeasibilityMap& map) {
  std::optional<Rank> smallest;
  for (const Witness& witness : witnesses_of(segments_of(map)))
    if (Rank rank = rank_of(program, witness); !smallest || rank < *smallest) smallest = std::move(rank);
  return smallest;
}

EnumerationBounds enumeration_bounds(const SmallestBounds& bounds, std::uint32_t operators) {
  EnumerationBounds all;
  all.operators = operators;
  all.size_most = bounds.size_most;
  all.cost_most = bounds.cost_most;
  all.late_uses = bounds.late_uses;
  all.arguments = bounds.arguments;
  return all;
}

std::int64_t RankLimit::values_most(Bytes total) const {
  const std::lock_guard lock(mutex_);
  return values_ - (total > total_ ? 1 : 0);
}

void RankLimit::lower(const Rank& rank) {
  const std::lock_guard lock(mutex_);
  if (std::pair(rank.values, rank.total_bytes) >= std::pair(values_.load(), total_.load())) return;
  values_ = rank.values;
  total_ = rank.total_bytes;
}

SmallestFamily::SmallestFamily(const RunSettings& all_settings, const SmallestBounds& all_bounds,
                               std::uint32_t operators)
    : settings(all_settings),
      bounds(enumeration_bounds(all_bounds, operators)),
      sizes(operators, all_bounds.size_most, SharedCosts::read_budget(all_settings)),
      costs(operators, all_bounds.cost_most) {}

SkeletonSearch::SkeletonSearch(const SmallestFamily& family, RankLimit& limit, const std::atomic<bool>& stop)
    : family_(family),
      limit_(limit),
      stop_(stop),
      reasons_(family.settings.dealloc != Dealloc::banish),
      possibilities_(family.sizes.fits()),
      scout_(family.sizes.fits()) {
  if (SharedCosts::apply_to(family.settings)) shared_.emplace(family.settings, family.costs, possibilities_);
}

void SkeletonSearch::search(const Skeleton& skeleton, std::uint64_t number, std::optional<SmallHole>& best) {
  std::optional<Shape> shape;
  if (reasons_) {
    shape.emplace(skeleton, family_.settings.dealloc);
    may_thrash_ = family_.settings.overhead_limit.exceeded(remats_most(*shape), 1);
    const bool anywhere = may_thrash_ || looks_ahead(family_.settings);
    const std::uint32_t from_place = anywhere ? 0 : shape->operators - 1;
    learn_possibilities(*shape, from_place);
    possibilities_.begin(*shape, from_place);
    if (std::find(can_fail_.begin(), can_fail_.end(), 1) == can_fail_.end()) return;
  }
  SkeletonPrograms programs(skeleton, family_.bounds);
  programs_ = &programs;
  number_ = number;
  best_ = &best;
  if (shared_) shared_->begin(programs.program());
  for (const SizeAssignment& sizes : family_.sizes.assignments()) {
    if (stopped()) return;
    const std::int64_t values_most = limit_.values_most(sizes.total);
    if (values_most <= sizes.distinct || (reasons_ && !is_possible(sizes))) continue;
    try_costs(sizes, codes_to_try(sizes, values_most), shared_.has_value());
  }
}

void SkeletonSearch::learn_possibilities(const Shape& shape, std::uint32_t from_place) {
  const std::vector<Fits>& fits = family_.sizes.fits();
  const Fits needs = needs_of(shape);
  const TensorSet all = (1u << shape.operators) - 1;
  can_complete_.assign(fits.size(), 0);
  can_fail_.assign(fits.size(), 0);
  const Moment first = Moment::first(shape);
  for (std::uint32_t f = 0; f < fits.size(); ++f) {
    // What fails with more than completes has room for whatever is needed, too.
    if ((fits[f] & needs) != needs || (fits[f] >> all & 1) != 0) continue;
    scout_.begin(shape, from_place);
    can_fail_[f] = scout_.can_fail(first, f);
    can_complete_[f] = scout_.can_complete(first, f);
  }
}

bool SkeletonSearch::is_possible(const SizeAssignment& sizes) {
  const Moment first = Moment::first(possibilities_.shape());
  const bool parts = !SharedCosts::read_budget(family_.settings);
  for (std::size_t i = 0; i < sizes.classes.size(); ++i) {
    const std::uint32_t lower = sizes.classes[i].fits;
    if (!can_complete_[lower]) continue;
    for (std::size_t j = i + 1; j < sizes.classes.size(); ++j) {
      const std::uint32_t higher = sizes.classes[j].fits;
      if (can_fail_[higher] && (!parts || possibilities_.can_part(first, lower, higher))) return true;
    }
  }
  return false;
}

// Of costs that have a hole, or if there is no telling of all, those with the fewest values first.
std::vector<std::uint32_t> SkeletonSearch::codes_to_try(const SizeAssignment& sizes, std::int64_t values_most) {
  const CostTable& costs = family_.costs;
  const std::int64_t distinct_most = values_most - sizes.distinct;
  CostSet set;
  set.codes = {0};
  if (shared_) {
    programs_->set(sizes.sizes, shared_->symbolic_costs());
    set = shared_->holes(sizes, distinct_most);
  }
  set = costs.extended(std::move(set), costs.operators(), distinct_most);
  std::stable_sort(set.codes.begin(), set.codes.end(), [&](std::uint32_t a, std::uint32_t b) {
    return costs.distinct(a, costs.operators()) < costs.distinct(b, costs.operators());
  });
  return std::move(set.codes);
}

void SkeletonSearch::try_costs(const SizeAssignment& sizes, const std::vector<std::uint32_t>& codes,
                               bool holes_expected) {
  const CostTable& costs = family_.costs;
  for (const std::uint32_t code : codes) {
    if (stopped()) return;
    if (sizes.distinct + costs.distinct(code, costs.operators()) > limit_.values_most(sizes.total)) return;
    look_at(sizes, costs.costs(code), holes_expected);
  }
}

void SkeletonSearch::look_at(const SizeAssignment& sizes, const CostTable::Costs& all_costs, bool hole_expected) {
  const std::vector<Cost> costs(all_costs.begin(), all_costs.begin() + family_.costs.operators());
  programs_->set(sizes.sizes, costs);
  const FeasibilityMap map = exact_map(programs_->program(), family_.settings);
  if (!policy_errors_of(map).empty()) misbehaved_ = true;
  std::optional<Rank> rank = smallest_rank(programs_->program(), map);
  if (!rank && hole_expected && !may_thrash_ && !misbehaved())
    throw std::logic_error("shared executions have a hole that the exact map has not");
  if (!rank) return;
  limit_.lower(*rank);
  if (!*best_ || *rank < (*best_)->rank) *best_ = SmallHole{number_, sizes.sizes, costs, std::move(*rank)};
}

}  // namespace pothole
