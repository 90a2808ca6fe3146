// TieAware: of the storages whose DTR score is the least or nearly so, the largest.
#include <algorithm>
#include <vector>

#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse;

Score score(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .size = c.size, .staleness = c.staleness};
}

Score score_of(const PoolView& pool, StorageId storage) { return score(pool.candidate(storage, kNeeds), {}); }

// Makes the bound exact, rounding apart. False if it was already.
bool learn(PoolView& pool, ScanItem& item) {
  if (pool.regions_known(item.storage, kNeeds)) return false;
  pool.learn_regions(item.storage);
  item.bound = exact::approximate(score_of(pool, item.storage));
  return true;
}

double with_margin(double score) { return score + exact::kRelativeError * score; }

StorageId choose(PoolView& pool, const ConfiguredPolicy& configured) {
  const double band = 1 + configured.values[0];
  std::vector<ScanItem>& items = pool.workspace().items;
  pool.collect_all();
  for (ScanItem& item : items) item.bound = exact::approximate(score_of(pool, item.storage));
  const auto by_bound = [](const ScanItem& a, const ScanItem& b) { return a.bound < b.bound; };
  auto least = std::min_element(items.begin(), items.end(), by_bound);
  while (learn(pool, *least)) least = std::min_element(items.begin(), items.end(), by_bound);

  // Those that may lie in the band; the scores as they are compared decide.
  const double limit = with_margin(with_margin(least->bound) * band);
  std::erase_if(items, [&](ScanItem& item) { return item.bound > limit || (learn(pool, item) && item.bound > limit); });
  Score best = score_of(pool, items.front().storage);
  for (const ScanItem& item : items) {
    const Score own = score_of(pool, item.storage);
    if (exact::compare(own, best, pool.comparison()) < 0) best = own;
  }
  best.factor = band;
  std::erase_if(items, [&](const ScanItem& item) {
    return exact::compare(score_of(pool, item.storage), best, pool.comparison()) > 0;
  });
  const auto preferred = [&](const ScanItem& a, const ScanItem& b) {
    const Bytes x = pool.size_of(a.storage), y = pool.size_of(b.storage);
    return x != y ? x > y : pool.root(a.storage) < pool.root(b.storage);
  };
  return std::min_element(items.begin(), items.end(), preferred)->storage;
}

}  // namespace

Policy tie_aware() {
  return {.name = "TieAware",
          .alias = "",
          .sentence = "the largest of the storages whose DTR score is the least or above it by a fraction rel at most",
          .formula = "(c + C(F) + C(R)) / (m s), then m",
          .source = source::kStudy,
          .needs = kNeeds,
          .parameters = {{.key = "rel", .standard = 1e-6, .least = 0, .most = 1, .help = "width of a tie"}},
          .choose = choose,
          .rank = scan::ranked<kNeeds, score>};
}

}  // namespace pothole
