// Who is told of everything that happens in one execution, in order; decides nothing.
#pragma once

#include <cstdint>

#include "engine/outcome.h"
#include "engine/policy.h"

namespace pothole {

// A materialization under way: one frame, the innermost.
struct Scene {
  std::uint32_t place = 0;  // Position::place()
  std::int64_t depth = 0;   // 1: of the operator that the trace issued
  TensorId tensor = kNone;
  bool remat = false;
  Bytes request = 0;
  Bytes resident = 0;
  Bytes pinned = 0;  // of it, outside the pool
  Bytes budget = 0;

  // How much more would have to be free; 0 or less if it fits.
  Bytes shortfall() const { return resident + request - budget; }
};

class Observer {
 public:
  virtual ~Observer() = default;

  // From here on everything happens at this place of the trace.
  virtual void moved(std::uint32_t /*place*/) {}
  virtual void entered(const Scene&) {}
  virtual void asked(const Scene&) {}  // its arguments are there: room is asked for, again after each eviction
  // Between `asked` and `evicted`, with the pool as the policy saw it.
  virtual void chosen(PoolView&, const ConfiguredPolicy&, StorageId /*victim*/) {}
  virtual void evicted(const Scene&, StorageId) {}  // the scene as it was before
  virtual void computed(const Scene&) {}            // likewise
  virtual void released(TensorId /*root*/) {}       // at its last release, and it was resident
};

}  // namespace pothole
