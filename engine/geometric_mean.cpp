#include "engine/geometric_mean.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace pothole {

std::optional<double> GeometricMean::value() const {
  using Real = boost::multiprecision::cpp_bin_float_50;
  if (weights_.empty()) return std::nullopt;
  Real sum = 0, weights = 0;
  for (const auto& [quotient, weight] : weights_) {
    const auto& [numerator, denominator] = quotient;
    if (numerator != denominator) sum += Real(weight) * log(Real(numerator) / Real(denominator));
    weights += weight;
  }
  return static_cast<double>(exp(Real(sum / weights)));
}

}  // namespace pothole
