// What the failing operator had to rebuild, and why it was gone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/explanation/history.h"

namespace pothole {

struct Departure {
  std::uint32_t place = 0;
  bool on_release = false;
  friend bool operator==(const Departure&, const Departure&) = default;
};

struct Rebuilt {
  TensorId tensor = 0;
  std::int64_t depth = 0;  // at which it was rebuilt first
  std::int64_t times = 0;
  // The last time it went before it was rebuilt first; nothing if it never did.
  std::optional<Departure> gone_in_oom;
  // The last time it went before the same place in the other execution.
  std::optional<Departure> gone_in_ok;
  bool kept_by_ok = false;  // resident there when that place begins
};

struct Rebuild {
  std::vector<Rebuilt> tensors;        // in the order in which they were first rebuilt
  std::vector<std::int64_t> at_depth;  // materializations begun at depth i + 1, that of the operator among them
};

Rebuild rebuild_of(const Program& program, const History& ok, const History& oom);

}  // namespace pothole
