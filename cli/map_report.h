// What `hunt` prints: the object of README.md "hunt" (pothole-map/1), and text for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/feasibility_map.h"

namespace pothole {

// Why budgets have no outcome, beside the engine's reasons.
inline constexpr std::string_view kTimeLimit = "time limit";
inline constexpr std::string_view kNotSampled = "not sampled";  // of the engine's grid

struct HuntedTrace {
  std::string name;
  std::string sha256;
  Bytes peak = 0;
  Bytes constant_bytes = 0;
  std::size_t operators = 0;
  std::size_t storages = 0;
};

// A map and what follows from it.
struct MapReport {
  MapReport(RunSettings settings_used, FeasibilityMap found, std::optional<std::size_t> budgets_sampled = {});

  RunSettings settings;
  FeasibilityMap map;
  std::optional<std::size_t> sampled;  // how many budgets were run, if only a grid of them
  std::vector<Segment> segments;
  std::vector<Hole> holes;
  // Of each hole: does it exist in this comparison mode only? Nothing where that is not known.
  std::vector<std::optional<bool>> artefacts;
  std::vector<CostInversion> cost_inversions;
  std::vector<UnresolvedInterval> unresolved;
  std::vector<PolicyErrorInterval> policy_errors;
  std::optional<Bytes> first_success;
  std::optional<Bytes> stable_from;
  Bytes certified_bytes = 0;
};

// One line without its end.
std::string map_json(const HuntedTrace& trace, const std::vector<MapReport>& maps);

// Several lines: a table of the policies, then a line per hole, then notes. Nothing is worded as certain
// that depends on a budget without an outcome.
std::string map_text(const HuntedTrace& trace, const std::vector<MapReport>& maps, bool colours);

}  // namespace pothole
