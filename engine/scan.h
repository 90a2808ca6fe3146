// The reference's scan of the pool (semantics section 7): front to back, the last minimum wins, and a
// score of exactly 0 ends the scan.
//
// Scores of evicted neighbourhoods never fall below 0 and grow with the region values, so a candidate
// whose lower bound already loses needs no walk: the decision is the same, the walks are few.
//
// A scan asks a scorer, which has
//
//   Value                       what is known of a score
//   kMayFail                    a score may be NaN
//   needs()                     the features that scores read
//   of(pool, s)                 the value of a member, of region values that may be lower bounds
//   of_until(pool, s)           the least that it can be until the shortlist's horizon
//   approximate(value)          a double nearer to it than exact::kRelativeError
//   compare(pool, a, s, b, t)   the exact order of values a of member s and b of member t
//   zero(value)                 exactly 0
//   has_shortlists()            of_until() means something: scores do not fall but for what a horizon bounds
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/exact.h"
#include "engine/pool_view.h"

namespace pothole {

using ScoreOf = Score (*)(const Candidate& candidate, const ParameterValues& values);

namespace scan {

// Of a policy of the list: everything but its parameters is known when it is compiled.
template <Features kNeeds, ScoreOf score_of>
struct Scorer {
  using Value = Score;
  static constexpr bool kMayFail = false;
  const ParameterValues& values;

  static constexpr Features needs() { return kNeeds; }
  static constexpr bool has_shortlists() { return true; }
  Score of(PoolView& pool, StorageId s) const { return score_of(pool.candidate(s, kNeeds), values); }
  Score of_until(PoolView& pool, StorageId s) const {
    return score_of(pool.candidate_until(s, pool.shortlist()), values);
  }
  static double approximate(const Score& score) { return exact::approximate(score); }
  static int compare(PoolView& pool, const Score& a, StorageId, const Score& b, StorageId) {
    return exact::compare(a, b, pool.comparison());
  }
  static bool zero(const Score& score) { return score.zero(); }
};

// In order, every score known. Scores may be negative.
template <class AnyScorer>
StorageId in_order(PoolView& pool, const AnyScorer& scorer) {
  StorageId best = kNone;
  typename AnyScorer::Value best_score;
  double best_approximate = 0;
  for (StorageId s : pool.slots()) {
    if (s == kNone) continue;
    const auto score = scorer.of(pool, s);
    const double approximate = scorer.approximate(score);
    if constexpr (AnyScorer::kMayFail)
      if (std::isnan(approximate)) return pool.misbehaved(kScoreNotANumber);
    const double margin = exact::kRelativeError * std::abs(best_approximate);
    const bool above = best != kNone && approximate > best_approximate + margin;
    if (!above && (best == kNone || approximate < best_approximate - margin ||
                   scorer.compare(pool, score, s, best_score, best) <= 0)) {
      best = s;
      best_score = score;
      best_approximate = approximate;
    }
    if (scorer.zero(score)) break;  // Reference: ends the scan even where it did not become the best
  }
  return best;
}

// Of the workspace's items, which are not empty. Lower bounds first; then walks, the least bound first, until
// the least is known and no other could tie with it. `could_tie` is at least the winner's score.
template <class AnyScorer>
StorageId least_of_items(PoolView& pool, const AnyScorer& scorer, double& could_tie) {
  std::vector<ScanItem>& items = pool.workspace().items;
  const auto bound_of = [&](StorageId s) { return scorer.approximate(scorer.of(pool, s)); };
  std::size_t least = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].bound = bound_of(items[i].storage);
    if (items[i].bound < items[least].bound) least = i;
  }
  // False if it was known already.
  const auto learn = [&](ScanItem& item) {
    if (pool.regions_known(item.storage, scorer.needs())) return false;
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
  typename AnyScorer::Value winner_score;
  for (ScanItem& item : items) {
    if (item.bound > could_tie) continue;
    if (learn(item) && item.bound > could_tie) continue;
    const auto score = scorer.of(pool, item.storage);
    if (winner == kNone || scorer.compare(pool, score, item.storage, winner_score, winner) <= 0) {
      winner = item.storage;
      winner_score = score;
    }
    if (scorer.zero(score)) break;
  }
  return winner;
}

template <class AnyScorer>
void make_shortlist(PoolView& pool, const AnyScorer& scorer) {
  if (!pool.begin_shortlist()) return;
  for (ScanItem& item : pool.workspace().items) item.bound = scorer.approximate(scorer.of_until(pool, item.storage));
  pool.end_shortlist();
}

// Scores must not be negative or NaN, and must not fall when a region value grows.
template <class AnyScorer>
StorageId lazily(PoolView& pool, const AnyScorer& scorer) {
  double could_tie = 0;
  if (scorer.has_shortlists() && pool.collect_shortlisted()) {
    const StorageId winner = least_of_items(pool, scorer, could_tie);
    if (could_tie < pool.shortlist().others_at_least * (1 - 2 * exact::kRelativeError)) return winner;
  }
  pool.collect_all();
  if (scorer.has_shortlists()) make_shortlist(pool, scorer);
  return least_of_items(pool, scorer, could_tie);
}

// What a policy of the list names as its `rank`.
template <Features needs, ScoreOf score_of>
std::vector<Ranked> ranked(PoolView& pool, const ConfiguredPolicy& configured) {
  const Scorer<needs, score_of> scorer{configured.values};
  std::vector<Ranked> ranked;
  ranked.reserve(pool.size());
  for (StorageId s : pool.slots()) {
    if (s == kNone) continue;
    pool.learn_regions(s);
    ranked.push_back({s, exact::shown(scorer.of(pool, s), pool.comparison())});
  }
  return ranked;
}

// What a policy of the list names as its `choose`; for lazily(), a score must not fall when staleness shrinks either.
template <Features needs, ScoreOf score_of>
StorageId in_order(PoolView& pool, const ConfiguredPolicy& configured) {
  return in_order(pool, Scorer<needs, score_of>{configured.values});
}
template <Features needs, ScoreOf score_of>
StorageId lazily(PoolView& pool, const ConfiguredPolicy& configured) {
  return lazily(pool, Scorer<needs, score_of>{configured.values});
}

}  // namespace scan
}  // namespace pothole
