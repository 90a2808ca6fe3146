#include "shrinker/smallest.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "engine/parallel.h"

namespace pothole {
namespace {

constexpr std::uint64_t kShardsOfGroup = 8192;  // about, so that little is lost when a search is stopped
constexpr std::size_t kSlotsPerThread = 4;

std::uint32_t edges_most(std::uint32_t operators) { return operators * (operators - 1) / 2; }

std::size_t edges_of(const Skeleton& skeleton) {
  std::size_t edges = 0;
  for (const Skeleton::Step& step : skeleton.steps) edges += step.arguments.size();
  return edges;
}

bool has_outputs(const Skeleton& skeleton) {
  std::size_t released = 0;
  for (const Skeleton::Step& step : skeleton.steps) released += step.released.size();
  return released < skeleton.steps.size();
}

// The skeletons of one number of operators.
class Operators {
 public:
  Operators(const RunSettings& settings, const SmallestBounds& bounds, const SmallestSearch& search,
            std::uint32_t operators)
      : search_(search),
        family_(settings, bounds, operators),
        enumeration_(family_.bounds),
        count_(enumeration_.skeleton_count()),
        shard_(std::max<std::uint64_t>(1, count_ / kShardsOfGroup)),
        outputs_(bounds.outputs) {}

  std::uint64_t count() const { return count_; }

  // To the end of the group that the progress is in; false if it was stopped.
  bool search(SmallestProgress& progress, const std::function<void()>& on_fold) {
    RankLimit limit;
    if (progress.best) limit.lower(progress.best->rank);
    const std::optional<Rank>& below = search_.below;
    if (below && below->operators == progress.operators && below->edges == progress.edges) limit.lower(*below);
    const std::size_t workers =
        search_.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : search_.threads;
    const std::size_t slots = workers * kSlotsPerThread;
    std::vector<Slot> work(slots);
    const std::uint64_t first = progress.next_skeleton;
    OrderedStream stream;
    stream.more = [&](std::size_t i) { return !stopped() && first + i * shard_ < count_; };
    stream.work = [&](std::size_t i, std::size_t slot) {
      alone([&] { search_shard(first + i * shard_, progress.edges, limit, work[slot]); });
    };
    stream.fold = [&](std::size_t i, std::size_t slot) {
      if (stopped_during(work[slot])) return;
      progress.next_skeleton = std::min(count_, first + (i + 1) * shard_);
      fold(progress, work[slot]);
      on_fold();
    };
    with_threads(search_.threads, [&] { parallel_in_order(slots, stream); });
    return progress.next_skeleton == count_;
  }

 private:
  struct Slot {
    std::unique_ptr<SkeletonSearch> searcher;
    std::optional<SmallHole> best;
    bool whole = false;
  };

  bool stopped() const { return never_ || search_stop().load(std::memory_order_relaxed); }
  const std::atomic<bool>& search_stop() const { return search_.stop ? *search_.stop : never_; }
  // Once a shard is not whole, none after it counts.
  bool stopped_during(const Slot& slot) {
    if (!slot.whole) broken_off_ = true;
    return broken_off_;
  }

  void search_shard(std::uint64_t begin, std::uint32_t edges, RankLimit& limit, Slot& slot) {
    if (!slot.searcher) slot.searcher = std::make_unique<SkeletonSearch>(family_, limit, search_stop());
    slot.best.reset();
    std::uint64_t number = begin;
    enumeration_.for_each_skeleton(begin, std::min(count_, begin + shard_), [&](const Skeleton& skeleton) {
      const bool wanted = edges_of(skeleton) == edges && (outputs_ || !has_outputs(skeleton));
      if (wanted && !stopped()) slot.searcher->search(skeleton, number, slot.best);
      ++number;
    });
    slot.whole = !stopped();
  }

  void fold(SmallestProgress& progress, Slot& slot) const {
    progress.misbehaved = progress.misbehaved || slot.searcher->misbehaved();
    if (!slot.best || (search_.below && !(slot.best->rank < *search_.below))) return;
    if (!progress.best || slot.best->rank < progress.best->rank) progress.best = std::move(slot.best);
  }

  const SmallestSearch& search_;
  const SmallestFamily family_;
  const Enumeration enumeration_;
  const std::uint64_t count_;
  const std::uint64_t shard_;
  const std::atomic<bool> never_ = false;
  const bool outputs_;
  bool broken_off_ = false;
};

}  // namespace

std::string why_not_searchable(const SmallestBounds& b) {
  if (b.operators < 1 || b.operators > SmallestBounds::kOperatorsMost)
    return "programs have 1 to " + std::to_string(SmallestBounds::kOperatorsMost) + " operators";
  for (const std::int64_t most : {b.size_most, b.cost_most})
    if (most < 1 || std::pow(static_cast<double>(most), b.operators) > SmallestBounds::kAssignmentsMost)
      return "sizes, and costs, make at most " + std::to_string(SmallestBounds::kAssignmentsMost) +
             " assignments: with " + std::to_string(b.operators) + " operators, 1 to " +
             std::to_string(static_cast<int>(std::pow(SmallestBounds::kAssignmentsMost + 0.5, 1.0 / b.operators)));
  return "";
}

Smallest smallest_hole(const RunSettings& settings, const SmallestBounds& bounds, const SmallestSearch& search,
                       SmallestProgress from) {
  Smallest result;
  SmallestProgress& progress = result.progress = std::move(from);
  if (progress.operators > bounds.operators) progress.best.reset();  // of a search that went further
  for (; progress.operators <= bounds.operators; ++progress.operators, progress.edges = 0) {
    if (search.below && search.below->operators < progress.operators) break;
    Operators operators(settings, bounds, search, progress.operators);
    const double groups = edges_most(progress.operators) + 1;
    for (; progress.edges <= edges_most(progress.operators); ++progress.edges, progress.next_skeleton = 0) {
      if (search.below && std::pair(search.below->operators, search.below->edges) <
                              std::pair<std::int64_t, std::int64_t>(progress.operators, progress.edges))
        break;
      const bool whole = operators.search(progress, [&] {
        const double in_group = static_cast<double>(progress.next_skeleton) / static_cast<double>(operators.count());
        if (search.on_progress) search.on_progress(progress, (progress.edges + in_group) / groups);
      });
      if (!whole) return result;
      if (progress.best) {
        result.complete = true;
        return result;
      }
    }
  }
  result.complete = true;
  return result;
}

std::optional<SmallHole> hole_at(const RunSettings& settings, const SmallestBounds& bounds, std::uint64_t skeleton,
                                 const std::vector<Bytes>& sizes, const std::vector<Cost>& costs) {
  const auto within = [](const std::vector<std::int64_t>& values, std::int64_t most) {
    return std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v >= 1 && v <= most; });
  };
  const std::size_t operators = sizes.size();
  if (operators < 1 || operators > SmallestBounds::kOperatorsMost || costs.size() != operators) return {};
  const Enumeration enumeration(enumeration_bounds(bounds, static_cast<std::uint32_t>(operators)));
  if (skeleton >= enumeration.skeleton_count() || !within(sizes, bounds.size_most) || !within(costs, bounds.cost_most))
    return {};
  SmallHole hole{skeleton, sizes, costs, {}};
  const Program program = program_of(hole, bounds);
  std::optional<Rank> rank = smallest_rank(program, exact_map(program, settings));
  if (!rank) return {};
  hole.rank = std::move(*rank);
  return hole;
}

Program program_of(const SmallHole& hole, const SmallestBounds& bounds) {
  const EnumerationBounds all = enumeration_bounds(bounds, static_cast<std::uint32_t>(hole.sizes.size()));
  SkeletonPrograms programs(Enumeration(all).skeleton(hole.skeleton), all);
  programs.set(hole.sizes, hole.costs);
  return programs.program();
}

}  // namespace pothole
