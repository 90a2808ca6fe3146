#include "engine/search.h"

namespace pothole {

std::string_view why_not_certifiable(const RunSettings& settings) {
  if (!settings.policy.policy->needs.has(Feature::opaque)) return {};
  return "it reads the budget itself, so that a run says nothing about other budgets";
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
