// Stopping early. Ctrl-C and SIGTERM: the first asks for a clean stop with what there is, the second
// ends at once. A time limit asks for the same clean stop.
#pragma once

#include <atomic>

namespace pothole {

// Also makes a closed pipe an ordinary write error instead of a silent death.
void install_signal_handlers();

// Set once, by the first signal or by request_stop(), never cleared.
const std::atomic<bool>& stop_requested();
void request_stop();

// Whether a signal came.
bool interrupted();

}  // namespace pothole
