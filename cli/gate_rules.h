// What a change of a policy must not do, each rule by itself. To add a rule: a line in the list of gate_rules.cpp, and
// a member of GateTolerances that cli/gate_options.cpp fills in.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/map_report.h"
#include "engine/map_comparison.h"
#include "properties/property.h"

namespace pothole {

// How much of each is accepted. Infinity accepts anything.
struct GateTolerances {
  double new_hole_bytes = 0;    // of holes that the base has nowhere near
  double widened_bytes = 0;     // by which holes of the base grow
  double first_success = 0;     // by what share of the base's it may rise
  double stable_from = 0;       // likewise
  double mean_overhead = 1.01;  // factors of the base's
  double worst_overhead = 1.1;
  double opened_cases = 0;       // cases of a corpus in which the base has no hole and the head has one
  double broken_properties = 0;  // that hold for the base
};

// Base and head on one trace, or on one case of a corpus.
struct GatedTrace {
  HuntedTrace trace;
  bool is_case = false;
  MapReport base, head;
  MapComparison comparison;
  // Executions with the same decisions, if all have; nothing if some differ or that is not known.
  std::optional<std::size_t> identical;
  std::vector<const Property*> newly_broken;  // violated by the head and not by the base
  std::vector<std::string> why_broken;        // of each, its violation

  // Every budget has an outcome under both, so that what is said is certain.
  bool is_certain() const { return comparison.unresolved == 0 && !base.sampled && !head.sampled; }
};

enum class RuleState : std::uint8_t { held, broken, unresolved };

struct RuleVerdict {
  std::string_view rule;
  RuleState state = RuleState::held;
  std::string trace;    // empty: of all cases together
  std::string found;    // with its numbers
  std::string allowed;  // what would have been accepted
  bool certain = true;
};

struct GateRule {
  std::string_view name;
  std::string_view sentence;  // what the head must not do
};

std::span<const GateRule> gate_rules();

// Of every rule on every trace, and of all cases together, in order.
std::vector<RuleVerdict> judge(const std::vector<GatedTrace>& all, const GateTolerances& tolerances);

}  // namespace pothole
