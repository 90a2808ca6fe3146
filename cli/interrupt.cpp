// The handler touches lock-free flags only: nothing else is safe inside a signal.
#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "cli/exit_code.h"

namespace pothole {
namespace {

std::atomic<bool> stop{false};
std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_stop_signal(int) {
  if (signalled.exchange(true)) _exit(static_cast<int>(ExitCode::interrupted));
  stop.store(true);
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // a write cut short by Ctrl-C is not a failed write
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);  // the write fails instead, and is told of
}

const std::atomic<bool>& stop_requested() { return stop; }
void request_stop() { stop.store(true); }
bool interrupted() { return signalled.load(); }

}  // namespace pothole
