// Budgets and ratios as people write them (README.md "Budgets"): exact, and never guessed.
#pragma once

#include <string>
#include <string_view>

#include "engine/units.h"

namespace pothole {

// Whole bytes such as "1046362683", or a number with one of the suffixes B kB MB GB (powers of 1000)
// KiB MiB GiB (powers of 1024), then also with a fraction if that is a whole number of bytes.
// Throws InputError naming `option`.
Bytes parse_budget(std::string_view text, const std::string& option);

// A positive finite number. Throws InputError naming `option`.
double parse_ratio(std::string_view text, const std::string& option);

// The budget at a ratio of a trace's peak. Throws InputError where that is no valid budget: less
// than one byte, or too large to count.
Bytes checked_budget_at_ratio(Bytes peak, double ratio, const std::string& option);

// For people, three significant digits: "128 B", "36.7 kB", "10.1 GB".
std::string short_bytes(Bytes bytes);

}  // namespace pothole
