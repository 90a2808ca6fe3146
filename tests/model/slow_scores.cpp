#include "tests/model/slow_scores.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <variant>

namespace pothole {
namespace {

using Score = SlowScore;

// The letters of the text, for one storage of the pool.
struct Candidate {
  const SlowState& state;
  StorageId storage;
  const SlowRequest& request;
  const SlowPolicy& policy;

  const SlowStorage& kept() const { return state.storages[storage]; }
  const SlowRegion& region(Direction way) const {
    static const SlowRegion kNothing;
    const auto found = kept().regions.find(way);
    return found == kept().regions.end() ? kNothing : found->second;
  }
  BigInt c() const { return state.compute_of(storage); }
  BigInt m() const { return state.program.storages()[storage].size; }
  BigInt s() const { return BigInt(request.clock) - last_access(); }
  BigInt last_access() const { return kept().last_access.value(); }
  BigInt f() const { return region(Direction::forward).compute(); }
  BigInt r() const { return region(Direction::reverse).compute(); }
  BigInt members() const {
    return region(Direction::forward).interior.size() + region(Direction::reverse).interior.size();
  }
  BigInt q() const { return state.neighbouring_classes(storage); }
  BigInt k() const { return kept().evictions; }
  BigInt d() const {
    BigInt issued = 0;
    for (TensorId t : state.program.tensors_of(storage))
      if (kept().producers.contains(state.program.tensors()[t].op)) ++issued;
    return issued;
  }
  BigInt x() const {
    const auto found = kept().neighbours.find(Direction::forward);
    return found == kept().neighbours.end() ? 0 : found->second.size();
  }

  Score quotient(const BigInt& a, const BigInt& b) const { return slow_quotient(a, b, policy.comparison); }
};

// The variables of score expressions.
BigInt variable_of(const Candidate& x, const std::string& name) {
  static const std::map<std::string, std::function<BigInt(const Candidate&)>> kTable = {
      {"c", &Candidate::c},
      {"e", [](const Candidate& y) { return BigInt(y.f() + y.r()); }},
      {"ef", &Candidate::f},
      {"er", &Candidate::r},
      {"n", &Candidate::members},
      {"q", &Candidate::q},
      {"m", &Candidate::m},
      {"s", &Candidate::s},
      {"a", &Candidate::last_access},
      {"k", &Candidate::k},
      {"d", &Candidate::d},
      {"x", &Candidate::x},
      {"clock", [](const Candidate& y) { return BigInt(y.request.clock); }},
      {"resident", [](const Candidate& y) { return BigInt(y.request.resident); }},
      {"need", [](const Candidate& y) { return BigInt(y.request.threshold - y.request.resident); }},
  };
  return kTable.at(name)(x);
}

Score score_with_union(const Candidate& x) {
  std::map<StorageId, Cost> both = x.state.fresh_region(x.storage, Direction::forward).interior;
  both.merge(x.state.fresh_region(x.storage, Direction::reverse).interior);
  BigInt cost = x.c();
  BigInt latest = x.last_access();
  for (const auto& [storage, compute] : both) {
    cost += compute;
    const std::optional<Tick> then = x.state.storages[storage].last_access;
    if (then && latest < *then) latest = *then;
  }
  return x.quotient(cost, BigInt(x.m() * (x.request.clock - latest)));
}

Score score_of_dtr(const Candidate& x) { return x.quotient(BigInt(x.c() + x.f() + x.r()), BigInt(x.m() * x.s())); }

Score score_of_cost_stale(const Candidate& x) { return x.quotient(BigInt(x.c() + x.f() + x.r()), x.s()); }

// The factor is the double it is, also where scores are compared as rationals.
Score times(const Score& score, double factor) {
  const auto* fraction = std::get_if<SlowFraction>(&score);
  if (fraction == nullptr) return std::get<double>(score) * factor;
  const SlowFraction f = fraction_of(factor);
  return SlowFraction{fraction->numerator * f.numerator, fraction->denominator * f.denominator};
}

Score penalized(const Candidate& x) {
  return times(score_of_dtr(x), 1.0 + x.policy.penalty * static_cast<double>(x.members()));
}

Score thrash_penalized(const Candidate& x) {
  return times(score_of_dtr(x), 1.0 + x.policy.thrash_penalty * static_cast<double>(x.kept().evictions));
}

// The place in the trace of the next use, or one past all places.
std::size_t next_use(const Candidate& x) {
  const Program& program = x.state.program;
  const auto is_it = [&](TensorId t) { return program.tensors()[t].storage == x.storage; };
  const std::size_t operators = program.operators().size(), places = operators + program.pins().size();
  for (std::size_t place = x.request.place; place < places; ++place) {
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
      {"DTREqClass", [](C x) { return x.quotient(BigInt(x.c() + x.q()), BigInt(x.m() * x.s())); }},
      {"DTRLocal", [](C x) { return x.quotient(x.c(), BigInt(x.m() * x.s())); }},
      {"DTRUnopt", score_with_union},
      {"MSPS", [](C x) { return x.quotient(BigInt(x.c() + x.r()), x.m()); }},
      {"LRU", [](C x) { return x.last_access(); }},
      {"LargestStorage", [](C x) { return x.quotient(1, x.m()); }},
      {"AbESize", [](C x) { return x.quotient(BigInt(x.c() + x.f() + x.r()), x.m()); }},
      {"AbEStale", score_of_cost_stale},
      {"AbE", [](C x) { return BigInt(x.c() + x.f() + x.r()); }},
      {"AbEqSize", [](C x) { return x.quotient(BigInt(x.c() + x.q()), x.m()); }},
      {"AbEqStale", [](C x) { return x.quotient(BigInt(x.c() + x.q()), x.s()); }},
      {"AbEq", [](C x) { return BigInt(x.c() + x.q()); }},
      {"AbLocalSize", [](C x) { return x.quotient(x.c(), x.m()); }},
      {"AbLocalStale", [](C x) { return x.quotient(x.c(), x.s()); }},
      {"AbLocal", [](C x) { return x.c(); }},
      {"AbSizeStale", [](C x) { return x.quotient(1, BigInt(x.m() * x.s())); }},
      {"AbStale", [](C x) { return x.quotient(1, x.s()); }},
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

ScoreFunction function_of(const SlowPolicy& policy) {
  if (policy.score.empty()) return score_functions().at(without_alias(policy.name));
  // Parsed once for all the choices of a run.
  thread_local std::pair<std::string, std::optional<SlowExpression>> parsed;
  if (!parsed.second || parsed.first != policy.score) parsed = {policy.score, SlowExpression(policy.score)};
  return [expression = *parsed.second](const Candidate& x) {
    return expression.score([&](const std::string& name) { return variable_of(x, name); }, x.policy.comparison);
  };
}

StorageId scan(const SlowState& state, const std::vector<StorageId>& candidates, const SlowPolicy& policy,
               const SlowRequest& request) {
  const ScoreFunction function = function_of(policy);
  StorageId chosen = kNone;
  std::optional<Score> best;
  for (StorageId storage : candidates) {
    const Score score = function(Candidate{state, storage, request, policy});
    if (is_not_a_number(score)) return kNone;
    if (!best || order_of(score, *best) <= 0) {
      best = score;
      chosen = storage;
    }
    if (is_zero(score)) break;
  }
  return chosen;
}

StorageId two_phase_victim(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request, Bytes need) {
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
  const auto preferred = [&](StorageId a, StorageId b) {
    const int order = order_of(score_of_cost_stale(Candidate{state, a, request, policy}),
                               score_of_cost_stale(Candidate{state, b, request, policy}));
    return order != 0 ? order < 0 : std::tuple(-size(a), root(a)) < std::tuple(-size(b), root(b));
  };
  return *std::min_element(candidates.begin(), candidates.end(), preferred);
}

// The needs 1 .. infinity fall into runs of one candidate set each, which begin at 1 and just above
// every size of the pool. Goes from the run of the actual need outwards while the victim is the same.
StorageId choose_in_two_phases(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request,
                               Certificate& certificate) {
  std::set<Bytes> begins = {1};
  for (StorageId s : state.pool) begins.insert(state.program.storages()[s].size + 1);
  const std::vector<Bytes> begin(begins.begin(), begins.end());
  const auto victim = [&](std::size_t run) { return two_phase_victim(state, policy, request, begin[run]); };

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

StorageId tie_aware_victim(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request) {
  const auto score = [&](StorageId s) { return score_of_dtr(Candidate{state, s, request, policy}); };
  Score best = score(state.pool.front());
  for (StorageId s : state.pool)
    if (order_of(score(s), best) < 0) best = score(s);
  const Score limit = times(best, 1 + policy.tie);
  std::vector<std::tuple<Bytes, TensorId, StorageId>> band;
  for (StorageId s : state.pool)
    if (order_of(score(s), limit) <= 0)
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

bool is_known_to_slow_model(const SlowPolicy& policy) {
  return !policy.score.empty() || policy.name == "TwoPhase" || policy.name == "TieAware" ||
         policy.name == "TControlInspired" || score_functions().contains(without_alias(policy.name));
}

StorageId choose_slowly(const SlowState& state, const SlowPolicy& policy, const SlowRequest& request,
                        Certificate& certificate) {
  if (policy.name == "TwoPhase") return choose_in_two_phases(state, policy, request, certificate);
  if (policy.name == "TieAware") return tie_aware_victim(state, policy, request);
  if (policy.name == "TControlInspired") return choose_unlocked(state, policy, request, certificate);
  return scan(state, state.pool, policy, request);
}

}  // namespace pothole
