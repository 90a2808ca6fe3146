// Numbers as the JSON reports show them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace pothole {

// 60 and not 60.0; anything else in its shortest form.
inline nlohmann::ordered_json plain_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace pothole
