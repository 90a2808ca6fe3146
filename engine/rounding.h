// Is a hole owed to how scores are rounded?
#pragma once

#include <optional>

#include "engine/search.h"

namespace pothole {

// Under neither of the other two comparison modes does a budget of the hole run out of memory. Nothing if a limit
// or a stop left that open, or for a plugin, which compares its scores itself. Tries single budgets first, then
// certifies the range.
std::optional<bool> is_rounding_artefact(const Program& program, const RunSettings& settings, BudgetRange hole,
                                         const SearchControl& control);

}  // namespace pothole
