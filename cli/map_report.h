// What `hunt` prints: the object of README.md "hunt" (pothole-map/1), and text for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/feasibility_map.h"

namespace pothole {

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
  MapReport(RunSettings settings_used, FeasibilityMap found);

  RunSettings settings;
  FeasibilityMap map;
  std::vector<Segment> segments;
  std::vector<Hole> holes;
  std::vector<CostInversion> cost_inversions;
  std::vector<UnresolvedInterval> unresolved;
  std::optional<Bytes> first_success;
  std::optional<Bytes> stable_from;
  Bytes certified_bytes = 0;
};

// One line without its end.
std::string map_json(const HuntedTrace& trace, const std::vector<MapReport>& maps);

// Several lines: a table of the policies, then a line per hole, then notes.
std::string map_text(const HuntedTrace& trace, const std::vector<MapReport>& maps, bool colours);

}  // namespace pothole
