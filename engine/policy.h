// What an eviction policy is: a constant record of pure functions over numbers the engine keeps.
//
// A policy never counts, remembers or evicts. It declares which features it reads, so that the engine
// keeps only those, and either scores one candidate (the engine scans the pool, semantics section 7)
// or chooses among the whole pool. See CONTRIBUTING.md for the recipe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/units.h"

namespace pothole {

class PoolView;

// Features are bits: what a policy reads beyond size, own compute, staleness and last access.
enum class Feature : std::uint16_t {
  forward = 1,        // evicted neighbourhood along children (semantics section 8)
  reverse = 2,        // along parents
  union_walk = 4,     // both, united, walked afresh at each evaluation
  classes = 8,        // equivalence classes of evicted storages (section 9)
  random = 16,        // draws from the run's seed
  budget = 32,        // asks threshold questions about the budget
  opaque = 64,        // reads the budget itself: its certificates are single budgets
  evictions = 128,    // how often each storage was evicted so far, by the policy or on release
  arrivals = 256,     // when each storage became resident
  next_use = 512,     // the rest of the trace: where each storage is used next
  centrality = 1024,  // the whole trace: how central each storage is (engine/centrality.h)
};

struct Features {
  std::uint16_t bits = 0;
  constexpr Features() = default;
  constexpr Features(Feature f) : bits(static_cast<std::uint16_t>(f)) {}
  constexpr bool has(Feature f) const { return bits & static_cast<std::uint16_t>(f); }
  friend constexpr Features operator|(Features a, Features b) {
    Features sum;
    sum.bits = static_cast<std::uint16_t>(a.bits | b.bits);
    return sum;
  }
  friend constexpr bool operator==(Features, Features) = default;
};
constexpr Features operator|(Feature a, Feature b) { return Features(a) | Features(b); }

// In the order of the bits, for people.
std::vector<std::string_view> names_of(Features features);

struct Parameter {
  std::string_view key;
  double standard = 0;
  double least = 0;
  double most = 0;
  bool integer = false;
  std::string_view help;
};

inline constexpr std::size_t kParametersMax = 8;
using ParameterValues = std::array<double, kParametersMax>;

struct ConfiguredPolicy;

// A member of the pool and what it scores, rounded to binary64: the lower goes first.
struct Ranked {
  StorageId storage = kNone;
  double score = 0;
};

struct Policy {
  std::string_view name;
  std::string_view alias;     // another published name, or empty
  std::string_view sentence;  // what it does
  std::string_view formula;   // in the letters of semantics section 7
  std::string_view source;    // where it was published
  Features needs;
  std::vector<Parameter> parameters;
  // The victim, a member of the pool, which is not empty. What PoolView::misbehaved() returns if there is none
  // because the policy does what no policy may. May be called from any thread.
  StorageId (*choose)(PoolView& pool, const ConfiguredPolicy& configured) = nullptr;
  // For people: the scores that the choice weighs, of every member in pool order. Asks nothing of the budget. Null if
  // the policy has no scores.
  std::vector<Ranked> (*rank)(PoolView& pool, const ConfiguredPolicy& configured) = nullptr;
};

// All policies, in the order of the list in engine/policies/policies.def.
std::span<const Policy> policies();

// By name or alias, exact spelling; null if there is none.
const Policy* find_policy(std::string_view name);

// What a policy that is not of the list brings along, such as a score expression: immutable, shared by
// all copies of the configured policy. Its `choose` finds it in the configured policy that it is given.
struct PolicyData {
  virtual ~PolicyData() = default;
  Policy record;
};

// A policy with its parameters set: what `NAME@key=value,...` means, or a policy with data of its own.
struct ConfiguredPolicy {
  const Policy* policy = nullptr;  // of the list, or the record of `data`
  ParameterValues values{};
  std::string text;                        // as given by the user; says all that decides
  std::shared_ptr<const PolicyData> data;  // null for a policy of the list

  // For tables.
  std::string_view label() const { return data ? policy->name : std::string_view(text); }

  // The same decisions: a policy of the list may go by two names.
  friend bool operator==(const ConfiguredPolicy& a, const ConfiguredPolicy& b) {
    if (a.data || b.data) return a.data && b.data && a.text == b.text;
    return a.policy == b.policy && a.values == b.values;
  }
};

struct PolicyError {
  std::string what;
  std::string fix;
};

// Parses NAME[@key=value,...]. On error the policy is null and `error` says why, naming the nearest
// known name or the keys there are.
ConfiguredPolicy configure_policy(std::string_view text, PolicyError& error);

// Sets the parameters of `configured.policy`: by `settings`, key=value,..., if given, else to the standard values. On
// error returns false, and `error` names the keys or the range that there is.
bool set_parameters(ConfiguredPolicy& configured, std::optional<std::string_view> settings, PolicyError& error);

}  // namespace pothole
