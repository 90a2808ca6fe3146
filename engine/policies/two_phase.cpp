// TwoPhase: of the storages that alone would make room, the one of the least CostStale score; where no
// storage is large enough, of the k largest.
//
// The rule reads the shortfall, hence the budget. It is asked in order of preference, so that the
// questions that are asked are the ones whose answers name the victim: the certificate of the choice is
// the whole range of budgets, around the actual one, with this victim.
#include <algorithm>
#include <vector>

#include "engine/policies/registry.h"
#include "engine/scan.h"

namespace pothole {
namespace {

constexpr Features kNeeds = Feature::forward | Feature::reverse | Feature::budget;

Score score_of(const Candidate& c, const ParameterValues&) {
  return {.numerator = c.compute + c.forward + c.reverse, .staleness = c.staleness};
}

struct Member {
  Score score;
  double rounded;  // as the comparison mode has it, unless that is exact
  Bytes size;
  TensorId root;
  StorageId storage;
};

bool preferred(const Member& a, const Member& b, Comparison comparison) {
  if (comparison == Comparison::exact) {
    if (const int order = exact::compare(a.score, b.score, comparison); order != 0) return order < 0;
  } else if (a.rounded != b.rounded) {
    return a.rounded < b.rounded;
  }
  if (a.size != b.size) return a.size > b.size;
  return a.root < b.root;
}

bool larger(const Member& a, const Member& b) { return a.size != b.size ? a.size > b.size : a.root < b.root; }

std::vector<Member> members_of(PoolView& pool) {
  std::vector<Member> members;
  members.reserve(pool.size());
  for (StorageId s : pool.slots()) {
    if (s == kNone) continue;
    pool.learn_regions(s);
    const Candidate c = pool.candidate(s, kNeeds);
    const Score score = score_of(c, {});
    members.push_back({score, exact::shown(score, pool.comparison()), c.size, pool.root(s), s});
  }
  return members;
}

StorageId choose(PoolView& pool, const ConfiguredPolicy& configured) {
  std::vector<Member> members = members_of(pool);
  const auto by_preference = [&](const Member& a, const Member& b) { return preferred(a, b, pool.comparison()); };
  std::sort(members.begin(), members.end(), larger);
  const std::size_t k = std::min(members.size(), static_cast<std::size_t>(configured.values[0]));
  const auto k_largest_end = members.begin() + static_cast<std::ptrdiff_t>(k);
  const StorageId fallback = std::min_element(members.begin(), k_largest_end, by_preference)->storage;
  const Bytes largest = members.front().size;

  std::sort(members.begin(), members.end(), by_preference);
  for (const Member& m : members) {
    // If the first of the largest does not suffice, nothing does.
    const bool last_chance = m.size == largest;
    if (last_chance && m.storage == fallback) break;  // the victim either way: nothing to ask
    if (m.size > 0 && pool.fits_after(m.size)) return m.storage;
    if (last_chance) break;
  }
  return fallback;
}

}  // namespace

Policy two_phase() {
  return {.name = "TwoPhase",
          .alias = "",
          .sentence = "least CostStale score among storages that alone cover the shortfall, else among the k largest",
          .formula = "argmin (c + C(F) + C(R)) / s over m >= shortfall",
          .source = source::kStudy,
          .needs = kNeeds,
          .parameters = {{.key = "k",
                          .standard = 8,
                          .least = 1,
                          .most = 1e6,
                          .integer = true,
                          .help = "how many of the largest storages to consider when none suffices"}},
          .choose = choose,
          .rank = scan::ranked<kNeeds, score_of>};
}

}  // namespace pothole
