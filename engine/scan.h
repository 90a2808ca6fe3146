// The reference's scan of the pool (semantics section 7): front to back, the last minimum wins, and a
// score of exactly 0 ends the scan.
//
// Scores of evicted neighbourhoods never fall below 0 and grow with the region values, so a candidate
// whose lower bound already loses needs no walk: the decision is the same, the walks are few.
#pragma once

#include <cmath>
#include <vector>

#include "engine/exact.h"
#include "engine/pool_view.h"

namespace pothole {

using ScoreOf = Score (*)(const Candidate& candidate, const ParameterValues& values);

namespace scan {

// In order, every score known. Scores may be negative.
template <Features needs, ScoreOf score_of>
StorageId in_order(PoolView& pool, const ParameterValues& values) {
  StorageId best = kNone;
  Score best_score;
  double best_approximate = 0;
  for (StorageId s : pool.slots()) {
    if (s == kNone) continue;
    const Score score = score_of(pool.candidate<needs>(s), values);
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

// Lower bounds first; walks only where they could matter. Scores must not be negative and must not
// fall when a region value grows.
template <Features needs, ScoreOf score_of>
StorageId lazily(PoolView& pool, const ParameterValues& values) {
  std::vector<ScanItem>& items = pool.workspace().items;
  items.clear();
  double best = exact::kInfinity;  // the least known score so far
  std::size_t lowest = 0;          // the item of the least bound
  for (StorageId s : pool.slots()) {
    if (s == kNone) continue;
    const double approximate = exact::approximate(score_of(pool.candidate<needs>(s), values));
    const bool known = pool.regions_known<needs>(s);
    if (known) best = std::min(best, approximate);
    items.push_back({approximate, s, known});
    if (approximate < items[lowest].approximate) lowest = items.size() - 1;
  }
  const auto learn = [&](ScanItem& item) {
    pool.learn_regions(item.storage);
    item.approximate = exact::approximate(score_of(pool.candidate<needs>(item.storage), values));
    item.known = true;
    best = std::min(best, item.approximate);
  };
  if (!items[lowest].known) learn(items[lowest]);
  const auto could_win = [&](const ScanItem& item) { return item.approximate <= best + exact::kRelativeError * best; };
  for (ScanItem& item : items)
    if (!item.known && could_win(item)) learn(item);

  StorageId winner = kNone;
  Score winner_score;
  for (const ScanItem& item : items) {
    if (!could_win(item)) continue;
    const Score score = score_of(pool.candidate<needs>(item.storage), values);
    if (winner == kNone || exact::compare(score, winner_score) <= 0) {
      winner = item.storage;
      winner_score = score;
    }
    if (score.zero()) break;
  }
  return winner;
}

}  // namespace scan
}  // namespace pothole
