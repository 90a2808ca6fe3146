// All assignments of costs to the operators of small programs, and beginnings of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shrinker/moment.h"

namespace pothole {

// Costs of the first `length` operators, each a number whose digits, the first operator's the lowest, are costs less 1.
struct CostSet {
  std::uint32_t length = 0;
  std::vector<std::uint32_t> codes;
  bool empty() const { return codes.empty(); }
};

class CostTable {
 public:
  using Costs = std::array<Cost, Shape::kOperatorsMost>;

  // Costs 1 .. cost_most.
  CostTable(std::uint32_t operators, Cost cost_most);

  std::uint32_t operators() const { return operators_; }
  const Costs& costs(std::uint32_t code) const { return costs_[code]; }  // those beyond a beginning are 1
  std::uint32_t count(std::uint32_t length) const { return powers_[length]; }

  // The first so many operators' costs are different values, at most.
  std::int64_t distinct(std::uint32_t code, std::uint32_t length) const;

  // Every way to go on to `length` with at most `distinct_most` different costs.
  CostSet extended(CostSet set, std::uint32_t length, std::int64_t distinct_most) const;

 private:
  std::uint32_t operators_;
  std::vector<std::uint32_t> powers_;  // of cost_most
  std::vector<Costs> costs_;           // by code
};

}  // namespace pothole
