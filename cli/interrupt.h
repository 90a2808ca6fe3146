// Ctrl-C and SIGTERM: the first asks for a clean stop with what there is, the second ends at once.
#pragma once

#include <atomic>

namespace pothole {

// Also makes a closed pipe an ordinary write error instead of a silent death.
void install_signal_handlers();

// Set once by the first SIGINT or SIGTERM, never cleared.
const std::atomic<bool>& stop_requested();

}  // namespace pothole
