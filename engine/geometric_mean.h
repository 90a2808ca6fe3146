// The weighted geometric mean of quotients of whole numbers: exp(sum of weight * ln quotient / sum of weights).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "engine/units.h"

namespace pothole {

class GeometricMean {
 public:
  // All three positive. The order of adding has no effect.
  void add(Cost numerator, Cost denominator, Bytes weight) { weights_[{numerator, denominator}] += weight; }

  // Computed with 50 decimal digits and rounded once, so that machines agree. Nothing if nothing was added.
  std::optional<double> value() const;

 private:
  std::map<std::pair<Cost, Cost>, Bytes> weights_;
};

}  // namespace pothole
