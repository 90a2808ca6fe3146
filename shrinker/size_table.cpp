#include "shrinker/size_table.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace pothole {
namespace {

// By set of tensors.
std::vector<Bytes> sums_of(const std::vector<Bytes>& sizes) {
  std::vector<Bytes> sums(std::size_t{1} << sizes.size(), 0);
  for (std::size_t set = 1; set < sums.size(); ++set) {
    const auto least = static_cast<std::size_t>(std::countr_zero(set));
    sums[set] = sums[set & (set - 1)] + sizes[least];
  }
  return sums;
}

std::vector<Bytes> budgets_of(const std::vector<Bytes>& sums, bool every_budget) {
  std::vector<Bytes> budgets(sums.begin() + 1, sums.end());
  if (every_budget) {
    budgets.resize(static_cast<std::size_t>(sums.back()));
    std::iota(budgets.begin(), budgets.end(), Bytes{1});
  }
  std::sort(budgets.begin(), budgets.end());
  budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
  return budgets;
}

Fits fits_of(const std::vector<Bytes>& sums, Bytes budget) {
  Fits fits = 0;
  for (std::size_t set = 0; set < sums.size(); ++set) fits |= Fits{sums[set] <= budget} << set;
  return fits;
}

bool next_assignment(std::vector<Bytes>& sizes, Bytes most) {
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (++sizes[i] <= most) return true;
    sizes[i] = 1;
  }
  return false;
}

}  // namespace

SizeTable::SizeTable(std::uint32_t tensors, Bytes size_most, bool every_budget) {
  std::unordered_map<Fits, std::uint32_t> numbers;
  std::vector<Bytes> sizes(tensors, 1);
  do {
    SizeAssignment a;
    a.sizes = sizes;
    a.total = std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
    a.distinct = static_cast<std::int64_t>(std::set<Bytes>(sizes.begin(), sizes.end()).size());
    const std::vector<Bytes> sums = sums_of(sizes);
    for (const Bytes budget : budgets_of(sums, every_budget)) {
      const Fits fits = fits_of(sums, budget);
      const auto [number, is_new] = numbers.emplace(fits, static_cast<std::uint32_t>(fits_.size()));
      if (is_new) fits_.push_back(fits);
      a.classes.push_back({budget, number->second});
    }
    assignments_.push_back(std::move(a));
  } while (next_assignment(sizes, size_most));
  std::stable_sort(assignments_.begin(), assignments_.end(),
                   [](const SizeAssignment& a, const SizeAssignment& b) { return a.total < b.total; });
}

}  // namespace pothole
