// What must hold for a policy on a program, and what a check says of it.
//
// A property is a constant record with one pure function. What checks have in common (the feasibility map,
// the runs with their decisions) is in the Subject, made once and read by all properties, from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/outcome.h"
#include "engine/policy.h"

namespace pothole {

class Subject;

enum class Ruling : std::uint8_t { holds, violated, not_applicable, unresolved };
std::string_view name_of(Ruling ruling);

// Whose mistake a violation is.
enum class Breach : std::uint8_t {
  contract,  // of this tool: its engine, its certificates
  finding,   // about the policy
  promise,   // of a plugin, to be a function of what it is given
};
std::string_view name_of(Breach breach);

// What a violation is recognized by when it is met again.
struct Signature {
  std::string_view property;
  std::string policy;  // as configured
  std::string_view kind;
  // The operator of the trace under way, their number while outputs are brought back; none where the violation
  // is of whole runs.
  std::optional<OperatorId> place;
  friend bool operator==(const Signature&, const Signature&) = default;
};

// The same but for the place, which moves when a program shrinks.
bool same_fault(const Signature& a, const Signature& b);

struct Violation {
  Signature signature;
  std::vector<Bytes> budgets;      // ascending
  std::vector<TensorId> storages;  // by their roots
  std::string text;                // one clause that says what the numbers are
};

struct Coverage {
  std::size_t checked = 0;  // executions of which the property is settled
  std::size_t known = 0;    // of so many in the range, as far as known
  bool sampled = false;     // else every budget of the range is covered
};

struct Verdict {
  Ruling ruling = Ruling::holds;
  std::string why;          // of not_applicable and unresolved
  bool misbehaved = false;  // the policy did what no policy may
  Coverage coverage;
  std::optional<Violation> violation;
};

struct Property {
  std::string_view name;
  std::string_view sentence;  // what holds
  std::string_view reason;    // why it should, or why it matters where it does not
  Breach breach = Breach::contract;
  // A contract that rests on the policy being a function of what it is given: of a plugin only its promise says so.
  bool trusts_policy = false;
  std::span<const std::string_view> kinds;  // of violations
  // Fills in everything but the signature's property and policy, which check_property does.
  Verdict (*check)(const Subject& subject) = nullptr;
};

// All properties, in the order of the list in properties/properties.def.
std::span<const Property> properties();

// Exact spelling; null if there is none.
const Property* find_property(std::string_view name);

// Of a violation under the policy.
Breach breach_of(const Property& property, const ConfiguredPolicy& policy);

Verdict check_property(const Property& property, const Subject& subject);

// One verdict per property, in order, checked in parallel. `on_checked` is called after each, from any thread.
std::vector<Verdict> check_properties(std::span<const Property* const> wanted, const Subject& subject,
                                      const std::function<void()>& on_checked = {});

}  // namespace pothole
