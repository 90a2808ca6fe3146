// The name of the format of cases, for those who read and write them.
#pragma once

#include <string_view>

namespace pothole {

inline constexpr std::string_view kCaseFormat = "pothole-case/1";

}  // namespace pothole
