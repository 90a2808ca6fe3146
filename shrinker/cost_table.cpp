#include "shrinker/cost_table.h"

#include <algorithm>

namespace pothole {

CostTable::CostTable(std::uint32_t operators, Cost cost_most) : operators_(operators) {
  powers_.push_back(1);
  for (std::uint32_t i = 0; i < operators; ++i)
    powers_.push_back(powers_.back() * static_cast<std::uint32_t>(cost_most));
  for (std::uint32_t code = 0; code < powers_.back(); ++code) {
    Costs costs;
    costs.fill(1);
    for (std::uint32_t i = 0; i < operators; ++i)
      costs[i] = 1 + code / powers_[i] % static_cast<std::uint32_t>(cost_most);
    costs_.push_back(costs);
  }
}

std::int64_t CostTable::distinct(std::uint32_t code, std::uint32_t length) const {
  const Costs& costs = costs_[code];
  std::int64_t count = 0;
  for (std::uint32_t i = 0; i < length; ++i)
    count += std::find(costs.begin(), costs.begin() + i, costs[i]) == costs.begin() + i;
  return count;
}

CostSet CostTable::extended(CostSet set, std::uint32_t length, std::int64_t distinct_most) const {
  for (; set.length < length; ++set.length) {
    std::vector<std::uint32_t> longer;
    for (const std::uint32_t code : set.codes)
      for (std::uint32_t next = code; next < powers_[set.length + 1]; next += powers_[set.length])
        if (set.length < distinct_most || distinct(next, set.length + 1) <= distinct_most) longer.push_back(next);
    set.codes = std::move(longer);
  }
  return set;
}

}  // namespace pothole
