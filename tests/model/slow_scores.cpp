#include "tests/model/slow_scores.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <variant>

namespace pothole {
namespace {

// Whole scores compare exactly, quotients as the doubles they were rounded to. One policy has one kind.
using Score = std::variant<BigInt, double>;

bool is_zero(const Score& score) {
  return std::visit([](const auto& value) { return value == 0; }, score);
}

// The letters of the text, for one storage of the pool.
struct Candidate {
  const SlowState& state;
  StorageId storage;
  Tick clock;
  const SlowPolicy& policy;
  std::size_t place = 0;

  const SlowStorage& kept() const { return state.storages[storage]; }
  const SlowRegion& region(Direction way) const {
    static const SlowRegion kNothing;
    const auto found = kept().regions.find(way);
    return found == kept().regions.end() ? kNothing : found->second;
  }
  BigInt c() const { return state.compute_of(storage); }
  BigInt m() const { return state.program.storages()[storage].size; }
  BigInt s() const { return BigInt(clock) - last_access(); }
  BigInt last_access() const { return kept().last_access.value(); }
  BigInt f() const { return region(Direction::forward).compute(); }
  BigInt r() const { return region(Direction::reverse).compute(); }
  BigInt members() const {
    return region(Direction::forward).interior.size() + region(Direction::reverse).interior.size();
  }
  BigInt q() const { return state.neighbouring_classes(storage); }
};

double score_with_union(const Candidate& x) {
  std::map<StorageId, Cost> both = x.state.fresh_region(x.storage, Direction::forward).interior;
  both.merge(x.state.fresh_region(x.storage, Direction::reverse).interior);
  BigInt cost = x.c();
  BigInt latest = x.last_access();
  for (const auto& [storage, compute] : both) {
    cost += compute;
    const std::optional<Tick> then = x.state.storages[storage].last_access;
    if (then && latest < *then) latest = *then;
  }
  return rounded_quotient(cost, BigInt(x.m() * (x.clock - latest)));
}

double score_of_dtr(const Candidate& x) {
  return rounded_quotient(BigInt(x.c() + x.f() + x.r()), BigInt(x.m() * x.s()));
}

double score_of_cost_stale(const Candidate& x) { return rounded_quotient(BigInt(x.c() + x.f() + x.r()), x.s()); }

double penalized(const Candidate& x) {
  return score_of_dtr(x) * (1.0 + x.policy.penalty * static_cast<double>(x.members()));
}

double thrash_penalized(const Candidate& x) {
  return score_of_dtr(x) * (1.0 + x.policy.thrash_penalty * static_cast<double>(x.kept().evictions));
}

// The place in the trace of the next use, or one past all places.
std::size_t next_use(const Candidate& x) {
  const Program& program = x.state.program;
  const auto is_it = [&](TensorId t) { return program.tensors()[t].storage == x.storage; };
  const std::size_t operators = program.operators().size(), places = operators + program.pins().size();
  for (std::size_t place = x.place; place < places; ++place) {
    if (place >= operators) {
      if (is_it(program.pins()[place - operators])) return place;
      continue;
    }
    for (TensorId a : program.arguments(static_cast<OperatorId>(place)))
      if (is_it(a)) return place;
  }
  return places;
}

using ScoreFunction = std::function<Score(const Candidate&)>;

const std::map<std::string, ScoreFunction>& score_functions() {
  using C = const Candidate&;
  static const std::map<std::string, ScoreFunction> kTable = {
      {"DTR", score_of_dtr},
      {"DTREqClass", [](C x) { return rounded_quotient(BigInt(x.c() + x.q()), BigInt(x.m() * x.s())); }},
      {"DTRLocal", [](C x) { return rounded_quotient(x.c(), BigInt(x.m() * x.s())); }},
      {"DTRUnopt", score_with_union},
      {"MSPS", [](C x) { return rounded_quotient(BigInt(x.c() + x.r()), x.m()); }},
      {"LRU", [](C x) { return x.last_access(); }},
      {"LargestStorage", [](C x) { return rounded_quotient(1, x.m()); }},
      {"AbESize", [](C x) { return rounded_quotient(BigInt(x.c() + x.f() + x.r()), x.m()); }},
      {"AbEStale", score_of_cost_stale},
      {"AbE", [](C x) { return BigInt(x.c() + x.f() + x.r()); }},
      {"AbEqSize", [](C x) { return rounded_quotient(BigInt(x.c() + x.q()), x.m()); }},
      {"AbEqStale", [](C x) { return rounded_quotient(BigInt(x.c() + x.q()), x.s()); }},
      {"AbEq", [](C x) { return BigInt(x.c() + x.q()); }},
      {"AbLocalSize", [](C x) { return rounded_quotient(x.c(), x.m()); }},
      {"AbLocalStale", [](C x) { return rounded_quotient(x.c(), x.s()); }},
      {"AbLocal", [](C x) { return x.c(); }},
      {"AbSizeStale", [](C x) { return rounded_quotient(1, BigInt(x.m() * x.s())); }},
      {"AbStale", [](C x) { return rounded_quotient(1, x.s()); }},
      {"NbhdPenalty", penalized},
      {"ThrashPen", thrash_penalized},
      {"FIFO", [](C x) { return BigInt(x.kept().arrival); }},
      {"Belady", [](C x) { return BigInt(-BigInt(next_use(x))); }},
      {"HEStar", [](C x) { return x.members(); }},
      {"CostStale", score_of_cost_stale},
  };
  return kTable;
}

std::string without_alias(const std::string& name) {
  static const std::map<std::string, std::string> kAliases = {{"AbESizeStale", "DTR"},
                                                              {"AbEqSizeStale", "DTREqClass"},
                                                              {"AbLocalSizeStale", "DTRLocal"},
                                                              {"AbSize", "LargestStorage"}};
  const auto found = kAliases.find(name);
  return found == kAliases.end() ? name : found->second;
}

StorageId scan(const SlowState& state, const std::vector<StorageId>& candidates, const SlowPolicy& policy,
               const SlowRequest& request) {
  const ScoreFunction& function = score_functions().at(without_alias(policy.name));
  StorageId chosen = kNone;
  std::optional<Score> best;
  for (StorageId storage : candidates) {
    const Score score = function(Candidate{state, storage, request.clock, policy, request.place});
    if (!best || score <= *best) {
      best = score;
      chosen = storage;
    }
    if (is_zero(score)) break;
  }
  return chosen;
}

StorageId two_phase_victim(const SlowState& state, const SlowPolicy& policy, Tick clock, Bytes need) {
  const auto size = [&](StorageId s) { return state.program.storages()[s].size; };
  const auto root = [&](StorageId s) { return state.program.storages()[s].root; };
  std::vector<StorageId> candidates;
  for (StorageId s : state.pool)
    if (size(s) >= need) candidates.push_back(s);
  if (candidates.empty()) {
    candidates = state.pool;
    std::sort(candidates.begin(), candidates.end(),
              [&](StorageId a, StorageId b) { return std::tuple(-size(a), root(a)) < std::tuple(-size(b), root(b)); });
    candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(policy.largest)));
  }
  const auto key = [&](StorageId s) {
    return std::tuple(score_of_cost_stale(Candidate{state, s, clock, policy}), -size(s), root(s));
  };
  return *std::min_element(candidates.begin(), candidates.end(),
                           [&](StorageId a, StorageId b) { return key(a) < key(b); });
}

// The needs 1 .. infinity fall into runs of one candidate set each, which begin at 1 and just above
// every size of the pool. Goes from the run of the actual need outwards while the victim is the same.
StorageId choose_in_two_phases(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request,
                               Certificate& certificate) {
  std::set<Bytes> begins = {1};
  for (StorageId s : state.pool) begins.insert(state.program.storages()[s].size + 1);
  const std::vector<Bytes> begin(begins.begin(), begins.end());
  const auto victim = [&](std::size_t run) { return two_phase_victim(state, policy, request.clock, begin[run]); };

  const Bytes need = std::max<Bytes>(request.threshold - request.budget, 1);
  const auto actual = static_cast<std::size_t>(std::upper_bound(begin.begin(), begin.end(), need) - begin.begin() - 1);
  const StorageId chosen = victim(actual);
  std::size_t first = actual, last = actual;
  while (first > 0 && victim(first - 1) == chosen) --first;
  while (last + 1 < begin.size() && victim(last + 1) == chosen) ++last;
  // A need of n is a budget of threshold - n.
  if (first > 0) certificate.hi = std::min(certificate.hi, request.threshold - begin[first] + 1);
  if (last + 1 < begin.size()) certificate.lo = std::max(certificate.lo, request.threshold - begin[last + 1] + 1);
  return chosen;
}

StorageId tie_aware_victim(const SlowState& state, const SlowPolicy& policy, Tick clock) {
  const auto score = [&](StorageId s) { return score_of_dtr(Candidate{state, s, clock, policy}); };
  double best = std::numeric_limits<double>::infinity();
  for (StorageId s : state.pool) best = std::min(best, score(s));
  std::vector<std::tuple<Bytes, TensorId, StorageId>> band;
  for (StorageId s : state.pool)
    if (score(s) <= best * (1 + policy.tie))
      band.emplace_back(-state.program.storages()[s].size, state.program.storages()[s].root, s);
  return std::get<2>(*std::min_element(band.begin(), band.end()));
}

// DTR's victim where the first so many storages by centrality are locked.
StorageId unlocked_victim(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request,
                          std::size_t locked) {
  const auto end = request.by_centrality.begin() + static_cast<std::ptrdiff_t>(locked);
  std::vector<StorageId> candidates;
  for (StorageId s : state.pool)
    if (std::find(request.by_centrality.begin(), end, s) == end) candidates.push_back(s);
  if (candidates.empty()) candidates = state.pool;
  SlowPolicy dtr = policy;
  dtr.name = "DTR";
  return scan(state, candidates, dtr, request);
}

// The ends of the certificate by halving: the number of locked storages does not fall as the budget grows.
StorageId choose_unlocked(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request,
                          Certificate& certificate) {
  const std::size_t all = request.by_centrality.size();
  const auto locked = [&](Bytes budget) {
    const Bytes residual = std::max<Bytes>(budget - request.resident, 0);
    const double share = residual == 0 ? 0 : rounded_quotient(residual, budget);
    const double count = std::ceil((policy.locked_share * share + policy.locked_floor) * static_cast<double>(all));
    return std::min(static_cast<std::size_t>(count), all);
  };
  const auto victim = [&](std::size_t count) { return unlocked_victim(state, policy, request, count); };
  const std::size_t actual = locked(request.budget);
  const StorageId chosen = victim(actual);
  std::size_t first = actual, last = actual;
  while (first > 0 && victim(first - 1) == chosen) --first;
  while (last < all && victim(last + 1) == chosen) ++last;
  // The least budget of [from, to] at which at least so many are locked; at `to` they are.
  const auto least_locking = [&](std::size_t count, Bytes from, Bytes to) {
    while (from < to) {
      const Bytes middle = from + (to - from) / 2;
      if (locked(middle) >= count) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  };
  certificate.lo = std::max(certificate.lo, least_locking(first, request.resident, request.budget));
  if (locked(request.threshold) > last)
    certificate.hi = std::min(certificate.hi, least_locking(last + 1, request.budget, request.threshold));
  return chosen;
}

}  // namespace

double rounded_quotient(const BigInt& a, const BigInt& b) {
  if (b <= 0) return std::numeric_limits<double>::infinity();
  if (a == 0) return 0;
  if (a < 0) return -rounded_quotient(BigInt(-a), b);
  // Scale until the whole quotient has 54 or 55 bits; what is kept of it are 53.
  const int shift = 54 - static_cast<int>(msb(a)) + static_cast<int>(msb(b));
  const BigInt dividend = shift > 0 ? BigInt(a << shift) : a;
  const BigInt divisor = shift < 0 ? BigInt(b << -shift) : b;
  BigInt whole = dividend / divisor;
  BigInt rest = dividend % divisor;
  int exponent = -shift;
  BigInt unit = 1;  // of the last place that is kept
  while ((whole / unit) >= (BigInt(1) << 53)) {
    unit *= 2;
    ++exponent;
  }
  BigInt kept = whole / unit;
  const BigInt twice_dropped = 2 * ((whole - kept * unit) * divisor + rest);
  const BigInt half = unit * divisor;
  if (twice_dropped > half || (twice_dropped == half && kept % 2 == 1)) ++kept;
  return std::ldexp(static_cast<double>(kept), exponent);
}

bool is_known_to_slow_model(const SlowPolicy& policy) {
  return policy.name == "TwoPhase" || policy.name == "TieAware" || policy.name == "TControlInspired" ||
         score_functions().contains(without_alias(policy.name));
}

StorageId choose_slowly(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request,
                        Certificate& certificate) {
  if (policy.name == "TwoPhase") return choose_in_two_phases(state, policy, request, certificate);
  if (policy.name == "TieAware") return tie_aware_victim(state, policy, request.clock);
  if (policy.name == "TControlInspired") return choose_unlocked(state, policy, request, certificate);
  return scan(state, state.pool, policy, request);
}

}  // namespace pothole
