#include "engine/overhead_limit.h"

namespace pothole {

std::optional<OverheadLimit> OverheadLimit::parse(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000'000;
  constexpr int kDecimalsMax = 9;
  std::int64_t whole = 0, decimals = 0, denominator = 1;
  std::size_t i = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    whole = whole * 10 + (text[i] - '0');
    if (whole > kMost) return std::nullopt;
  }
  if (i == 0) return std::nullopt;
  if (i < text.size()) {
    if (text[i] != '.' || i + 1 == text.size() || text.size() - i - 1 > kDecimalsMax) return std::nullopt;
    for (++i; i < text.size(); ++i) {
      if (text[i] < '0' || text[i] > '9') return std::nullopt;
      decimals = decimals * 10 + (text[i] - '0');
      denominator *= 10;
    }
  }
  OverheadLimit limit;
  limit.numerator_ = whole * denominator + decimals;
  limit.denominator_ = denominator;
  if (limit.numerator_ < denominator || limit.numerator_ > kMost * denominator) return std::nullopt;
  return limit;
}

}  // namespace pothole
