// Parts of the range are swept in parallel. A part that grows gives half of its budgets away as a new
// part, by a rule that looks at that part alone, so that the parts and every count are the same for any
// number of threads.
#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/execution_log.h"
#include "engine/parallel.h"
#include "engine/sweep.h"

namespace pothole {
namespace {

class SweepSearch {
 public:
  SweepSearch(const SearchControl& control, std::span<const Execution> known) : log_(control, known) {}

  std::atomic<std::int64_t>& memory() { return memory_; }
  void add(std::unique_ptr<Sweep> part) { parts_.push_back(std::move(part)); }

  FeasibilityMap search(BudgetRange range) {
    parallel_growing(parts_.size(), [this](std::size_t index, const AddIndex& add) { sweep(index, add); });
    FeasibilityMap map;
    map.from = range.from;
    map.to = range.to;
    map.executions = log_.take();
    map.work = total_;
    return map;
  }

 private:
  void sweep(std::size_t index, const AddIndex& add) {
    std::unique_ptr<Sweep> part = exchange_part(index, nullptr);
    part->run({.give_away =
                   [&](std::unique_ptr<Sweep> upper) {
                     const std::size_t added = new_index();
                     log_.add(part->take_found(), std::array{report(index, *part), report(added, *upper)});
                     exchange_part(added, std::move(upper));
                     add(added);
                   },
               .look = [&] { log_.add(part->take_found(), std::array{report(index, *part)}); }});
    log_.add(part->take_found(), std::array{report(index, *part)});
    const std::lock_guard lock(mutex_);
    total_ += part->work();
  }

  static PartReport report(std::size_t index, const Sweep& part) {
    return {index, part.work(), part.ended() ? nullptr : std::make_shared<const SweepPart>(part.under_way())};
  }

  std::size_t new_index() {
    const std::lock_guard lock(mutex_);
    parts_.emplace_back();
    return parts_.size() - 1;
  }
  std::unique_ptr<Sweep> exchange_part(std::size_t index, std::unique_ptr<Sweep> part) {
    const std::lock_guard lock(mutex_);
    return std::exchange(parts_[index], std::move(part));
  }

  std::atomic<std::int64_t> memory_ = 0;
  ExecutionLog log_;
  std::mutex mutex_;  // guards the two below
  std::deque<std::unique_ptr<Sweep>> parts_;
  SearchWork total_;
};

}  // namespace

FeasibilityMap map_by_sweep(const Program& program, const RunSettings& settings, BudgetRange range,
                            const SearchControl& control, std::span<const Execution> known,
                            std::span<const SweepPart> under_way) {
  SweepSearch search(control, known);
  std::vector<Execution> covered(known.begin(), known.end());
  for (const SweepPart& part : under_way) {
    search.add(std::make_unique<Sweep>(program, settings, part, control, search.memory()));
    for (const SweepPart::PartState& s : part.states)
      for (const SweepPart::Branch& b : s.branches) covered.push_back({b.from, b.to, Outcome::unresolved, {}, 0, 0});
  }
  sort_by_budget(covered);
  for (const BudgetRange& gap : gaps_in(range, covered))
    search.add(std::make_unique<Sweep>(program, settings, gap, control, search.memory()));
  return search.search(range);
}

}  // namespace pothole
