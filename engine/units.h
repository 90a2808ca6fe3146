// Index types and units used everywhere.
//
// Indices count from 0 in order of creation. A storage has the index of its place among storages;
// the "root id" that users see is the index of its root tensor (semantics section 7).
#pragma once

#include <cstdint>
#include <limits>

namespace pothole {

using OperatorId = std::uint32_t;
using TensorId = std::uint32_t;
using StorageId = std::uint32_t;

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

using Bytes = std::int64_t;  // sizes and budgets
using Cost = std::int64_t;   // compute, nanoseconds in DTR logs
using Tick = std::int64_t;   // the clock: starts at 1 and advances by costs

// Sums of region and class computes. An operator's cost counts once per storage it produces, so
// such sums can pass 64 bits although the costs of a trace cannot.
using WideCost = __int128;

// Largest size or cost, and largest sum of sizes or of costs, of a valid program (semantics 1).
inline constexpr std::int64_t kLargestQuantity = std::int64_t{1} << 62;

}  // namespace pothole
