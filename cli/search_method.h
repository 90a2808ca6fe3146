// --method: which of the engine's searches `hunt` uses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/search.h"

namespace pothole {

enum class SearchMethod : std::uint8_t { certify, executions, bisect, grid };

std::string_view name_of(SearchMethod method);

// Throws InputError for an unknown name.
SearchMethod checked_method(const std::string& text);

// Throws InputError where the method cannot serve a policy.
void check_certifiable(SearchMethod method, const RunSettings& settings);

struct SearchTask {
  const Program& program;
  const RunSettings& settings;
  BudgetRange range;
  std::span<const Bytes> grid;  // of SearchMethod::grid
  std::span<const Execution> known;
  std::span<const SweepPart> under_way;  // of SearchMethod::certify
};

FeasibilityMap search_by(SearchMethod method, const SearchTask& task, const SearchControl& control);

}  // namespace pothole
