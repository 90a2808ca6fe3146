// TControlInspired: DTR among the storages that are not locked; locked are the most central ones, the more the
// more of the budget is free.
//
// With `count` storages locked, the victim is DTR's among the members of the pool that are not among the first
// `count` by centrality. It stays the same until it is itself locked, so the counts, and with them the budgets, fall
// into runs of one victim each, and only the ends of runs are asked for: the certificate is the run of the actual
// budget.
#include <algorithm>
#include <cmath>

#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse | Feature::budget | Feature::centrality;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .size = c.size, .staleness = c.staleness};
}

// How many storages are locked at a budget that is not below what is resident. Every step rounds once, so it
// does not fall as the budget grows.
double locked(const PoolView& pool, const ParameterValues& values, Bytes budget) {
  const Bytes residual = budget - pool.resident();
  const double share = residual > 0 ? exact::rounded_quotient(residual, static_cast<unsigned __int128>(budget)) : 0;
  return std::ceil((values[0] * share + values[1]) * static_cast<double>(pool.storage_count()));
}

// Is the budget such that at least so many storages are locked?
bool locks(PoolView& pool, const ParameterValues& values, std::uint32_t count) {
  const auto enough = [&](Bytes budget) { return locked(pool, values, budget) >= count; };
  // Room is asked for: the budget is in [least, most].
  Bytes least = pool.resident(), most = least + pool.request() - 1;
  if (enough(least)) return true;
  if (!enough(most)) return false;
  while (most - least > 1) {
    const Bytes middle = least + (most - least) / 2;
    (enough(middle) ? most : least) = middle;
  }
  return pool.budget_at_least(most);
}

StorageId choose(PoolView& pool, const ConfiguredPolicy& configured) {
  const StorageId among_all = scan::lazily<kNeeds, score>(pool, configured);
  StorageId victim = among_all;
  std::vector<ScanItem>& items = pool.workspace().items;
  while (true) {
    const std::uint32_t rank = pool.centrality_rank(victim);
    pool.collect_all();
    std::erase_if(items, [&](const ScanItem& item) { return pool.centrality_rank(item.storage) <= rank; });
    // Where the whole pool is locked, none of it is.
    if (items.empty() && victim == among_all) return victim;
    if (!locks(pool, configured.values, rank + 1)) return victim;
    if (items.empty()) return among_all;
    double could_tie = 0;
    victim = scan::least_of_items(pool, scan::Scorer<kNeeds, score>{configured.values}, could_tie);
  }
}

}  // namespace

Policy t_control_inspired() {
  return {
      .name = "TControlInspired",
      .alias = "",
      .sentence = "DTR's choice outside the share of storages that most shortest computation paths pass through",
      .formula =
          "(c + C(F) + C(R)) / (m s), without the first ceil((alpha (budget - resident) / budget + floor) n) by "
          "betweenness",
      .source = source::kStudyOfTControl,
      .needs = kNeeds,
      .parameters = {{.key = "alpha", .standard = 0.3, .least = 0, .most = 1, .help = "share locked per free share"},
                     {.key = "floor", .standard = 0.01, .least = 0, .most = 1, .help = "share locked always"}},
      .choose = choose,
      .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
