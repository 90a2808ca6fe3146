#include "engine/explanation/decision_table.h"

#include <algorithm>

#include "engine/pool_view.h"

namespace pothole {
namespace {

// The evicted compute that the policy sees around a member, by whichever feature it reads it.
std::optional<WideCost> neighbourhood_of(PoolView& pool, Features needs, StorageId member) {
  const bool regions = needs.has(Feature::forward) || needs.has(Feature::reverse);
  if (!regions && !needs.has(Feature::union_walk) && !needs.has(Feature::classes)) return std::nullopt;
  if (regions && !pool.regions_known(member, needs)) pool.learn_regions(member);
  const Candidate c = pool.candidate(member, needs);
  if (regions) return c.forward + c.reverse;
  return needs.has(Feature::union_walk) ? c.united : c.classes;
}

class Clerk : public Observer {
 public:
  Clerk(const Program& program, const DecisionRange& range, DecisionTable& table)
      : program_(program), range_(range), table_(table) {}

  void asked(const Scene& scene) override { scene_ = scene; }

  void chosen(PoolView& pool, const ConfiguredPolicy& configured, StorageId victim) override {
    if (scene_.place < range_.from || scene_.place >= range_.to) return;
    if (table_.rows.size() >= range_.rows_max) {
      table_.cut = true;
      return;
    }
    const Features needs = configured.policy->needs;
    DecisionRow row;
    row.scene = scene_;
    row.victim = victim;
    row.size = program_.storages()[victim].size;
    row.pool = pool.size();
    row.staleness = pool.candidate(victim, {}).staleness;
    row.neighbourhood = neighbourhood_of(pool, needs, victim);
    if (configured.policy->rank) add_scores(row, configured.policy->rank(pool, configured));
    table_.rows.push_back(std::move(row));
  }

 private:
  void add_scores(DecisionRow& row, std::vector<Ranked> ranked) const {
    // The last of the least wins, but a score of 0 ends the scan, so that the first of those does.
    std::reverse(ranked.begin(), ranked.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.score < b.score; });
    const auto [first_zero, last_zero] =
        std::equal_range(ranked.begin(), ranked.end(), Ranked{kNone, 0},
                         [](const Ranked& a, const Ranked& b) { return a.score < b.score; });
    std::reverse(first_zero, last_zero);
    const auto place_of = [&](StorageId storage) {
      return std::find_if(ranked.begin(), ranked.end(), [&](const Ranked& r) { return r.storage == storage; });
    };
    if (const auto at = place_of(row.victim); at != ranked.end()) row.score = at->score;
    for (const StorageId storage : range_.tracked) {
      const auto at = place_of(storage);
      if (at == ranked.end())
        row.tracked.push_back({storage, false, 0, 0});
      else
        row.tracked.push_back({storage, true, static_cast<std::size_t>(at - ranked.begin()) + 1, at->score});
    }
    for (std::size_t i = 0; i < std::min(DecisionRange::kLowest, ranked.size()); ++i)
      row.lowest.push_back({ranked[i].storage, ranked[i].score});
  }

  const Program& program_;
  const DecisionRange& range_;
  DecisionTable& table_;
  Scene scene_;
};

}  // namespace

DecisionTable decisions_of(const Program& program, const RunSettings& settings, Bytes budget,
                           const DecisionRange& range, const RunOptions& options) {
  DecisionTable table;
  Clerk clerk(program, range, table);
  RunOptions observed = options;
  observed.observer = &clerk;
  run(program, settings, budget, observed);
  return table;
}

}  // namespace pothole
