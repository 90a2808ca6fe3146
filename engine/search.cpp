#include "engine/search.h"

#include <algorithm>

namespace pothole {

std::string_view why_not_certifiable(const RunSettings& settings) {
  if (!settings.policy.policy->needs.has(Feature::opaque)) return {};
  return "it reads the budget itself, so that a run says nothing about other budgets";
}

void sort_by_budget(std::vector<Execution>& executions) {
  std::sort(executions.begin(), executions.end(),
            [](const Execution& a, const Execution& b) { return a.from < b.from; });
}

std::vector<BudgetRange> gaps_in(BudgetRange range, std::span<const Execution> executions) {
  std::vector<BudgetRange> gaps;
  Bytes next = range.from;
  for (const Execution& execution : executions) {
    if (next < execution.from) gaps.push_back({next, execution.from});
    next = execution.to;
  }
  if (next < range.to) gaps.push_back({next, range.to});
  return gaps;
}

}  // namespace pothole
