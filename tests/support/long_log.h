// A log whose map takes a while.
#pragma once

#include <string>

namespace pothole {

// Forward and backward through `layers`, sizes and times all different: every budget of a large
// range is another execution.
std::string long_log(int layers);

}  // namespace pothole
