// The reference's scan of the pool (semantics section 7): front to back, the last minimum wins, and a
// score of exactly 0 ends the scan.
//
// Scores of evicted neighbourhoods never fall below 0 and grow with the region values, so a candidate
// whose lower bound already loses needs no walk: the decision is the same, the walks are few.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/exact.h"
#include "engine/pool_view.h"

namespace pothole {

using ScoreOf = Score (*)(const Candidate& candidate, const ParameterValues& values);

namespace scan {

// In order, every score known. Scores may be negative.
template <Features needs, ScoreOf score_of>
StorageId in_order(PoolView& pool, const ConfiguredPolicy& configured) {
  const ParameterValues& values = configured.values;
  StorageId best = kNone;
  Score best_score;
  double best_approximate = 0;
  for (StorageId s : pool.slots()) {
    if (s == kNone) continue;
    const Score score = score_of(pool.candidate(s, needs), values);
    const double approximate = exact::approximate(score);
    const double margin = exact::kRelativeError * std::abs(best_approximate);
    const bool above = best != kNone && approximate > best_approximate + margin;
    if (!above &&
        (best == kNone || approximate < best_approximate - margin || exact::compare(score, best_score) <= 0)) {
      best = s;
      best_score = score;
      best_approximate = approximate;
    }
    if (score.zero()) break;  // Reference: ends the scan even where it did not become the best
  }
  return best;
}

// Of the workspace's items, which are not empty. Lower bounds first; then walks, the least bound first, until
// the least is known and no other could tie with it. `could_tie` is at least the winner's score.
template <Features needs, ScoreOf score_of>
StorageId least_of_items(PoolView& pool, const ParameterValues& values, double& could_tie) {
  std::vector<ScanItem>& items = pool.workspace().items;
  const auto bound_of = [&](StorageId s) { return exact::approximate(score_of(pool.candidate(s, needs), values)); };
  std::size_t least = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].bound = bound_of(items[i].storage);
    if (items[i].bound < items[least].bound) least = i;
  }
  // False if it was known already.
  const auto learn = [&](ScanItem& item) {
    if (pool.regions_known(item.storage, needs)) return false;
    pool.learn_regions(item.storage);
    item.bound = bound_of(item.storage);
    return true;
  };
  const auto with_margin = [](double score) { return score + exact::kRelativeError * score; };
  learn(items[least]);
  // Only those that the first known score does not rule out.
  const double first_known = with_margin(items[least].bound);
  std::erase_if(items, [&](const ScanItem& item) { return item.bound > first_known; });
  const auto by_bound = [](const ScanItem& a, const ScanItem& b) { return a.bound < b.bound; };
  auto best = std::min_element(items.begin(), items.end(), by_bound);
  while (learn(*best)) best = std::min_element(items.begin(), items.end(), by_bound);

  could_tie = with_margin(best->bound);
  StorageId winner = kNone;
  Score winner_score;
  for (ScanItem& item : items) {
    if (item.bound > could_tie) continue;
    if (learn(item) && item.bound > could_tie) continue;
    const Score score = score_of(pool.candidate(item.storage, needs), values);
    if (winner == kNone || exact::compare(score, winner_score) <= 0) {
      winner = item.storage;
      winner_score = score;
    }
    if (score.zero()) break;
  }
  return winner;
}

template <Features needs, ScoreOf score_of>
void make_shortlist(PoolView& pool, const ParameterValues& values) {
  if (!pool.begin_shortlist()) return;
  for (ScanItem& item : pool.workspace().items)
    item.bound = exact::approximate(score_of(pool.candidate_until(item.storage, pool.shortlist()), values));
  pool.end_shortlist();
}

// Scores must not be negative, and must not fall when a region value grows or staleness shrinks.
template <Features needs, ScoreOf score_of>
StorageId lazily(PoolView& pool, const ConfiguredPolicy& configured) {
  const ParameterValues& values = configured.values;
  double could_tie = 0;
  if (pool.collect_shortlisted()) {
    const StorageId winner = least_of_items<needs, score_of>(pool, values, could_tie);
    if (could_tie < pool.shortlist().others_at_least * (1 - 2 * exact::kRelativeError)) return winner;
  }
  pool.collect_all();
  make_shortlist<needs, score_of>(pool, values);
  return least_of_items<needs, score_of>(pool, values, could_tie);
}

}  // namespace scan
}  // namespace pothole
