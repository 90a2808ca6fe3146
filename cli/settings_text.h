// Settings of a run that are not the standard ones, for people.
#pragma once

#include <string>

#include "engine/run.h"

namespace pothole {

// ", dealloc ignore, overhead limit 2.5, comparison exact, seed 7": those that are not standard, or empty. A seed is
// of policies that draw.
std::string unusual_settings_text(const RunSettings& settings);

}  // namespace pothole
