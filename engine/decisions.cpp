#include "engine/decisions.h"

#include <algorithm>

#include "engine/program.h"

namespace pothole {

OperatorId operator_at(const Program& program, std::span<const Decision> decisions, std::size_t index) {
  OperatorId next = 0;
  for (const Decision& d : decisions.first(std::min(index, decisions.size())))
    if (d.kind == Decision::Kind::computed && program.tensors()[d.tensor].op == next) ++next;
  return next;
}

Schedule schedule_of(std::span<const Decision> decisions) {
  Schedule schedule;
  std::int64_t computed = 0;
  for (const Decision& d : decisions) {
    if (d.kind == Decision::Kind::computed) ++computed;
    if (d.kind == Decision::Kind::evicted) schedule.push_back({computed, d.tensor});
  }
  return schedule;
}

}  // namespace pothole
