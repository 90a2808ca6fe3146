// The overhead at which a run counts as thrashed, as an exact decimal fraction.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/units.h"

namespace pothole {

class OverheadLimit {
 public:
  OverheadLimit() = default;  // 60

  // A decimal number from 1 to 1e9 with at most nine digits after the point, such as 60 or 2.5.
  // Nothing for any other text.
  static std::optional<OverheadLimit> parse(std::string_view text);

  // remat > (limit - 1) * baseline, in integers (semantics section 4, step 7).
  bool exceeded(Cost remat_compute, Cost baseline) const {
    return WideCost{remat_compute} * denominator_ > WideCost{numerator_ - denominator_} * baseline;
  }

  double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

 private:
  std::int64_t numerator_ = 60;  // at most 1e18, so that products stay below 2^127
  std::int64_t denominator_ = 1;
};

}  // namespace pothole
