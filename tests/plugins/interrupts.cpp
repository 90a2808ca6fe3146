// Decides as DTR, and interrupts the program as Ctrl-C does the first time it is asked. The environment can name
// another signal (POTHOLE_TEST_SIGNAL, a number) and another question (POTHOLE_TEST_AT; never with 0), so that a
// command is cut off where it has work left, however fast the machine is.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>

#include "engine/plugin/pothole_policy.h"

static long number(const char* name, long standard) {
  const char* const text = std::getenv(name);
  return text == nullptr ? standard : std::strtol(text, nullptr, 10);
}

static double score(const pothole_view* view, const pothole_candidate* c, const double*) {
  static const long at = number("POTHOLE_TEST_AT", 1);
  static std::atomic<long> asked;
  static std::once_flag sent;
  // Other threads wait: nothing is decided after this question and before the signal.
  if (at > 0 && ++asked >= at)
    std::call_once(sent, [] { std::raise(static_cast<int>(number("POTHOLE_TEST_SIGNAL", SIGINT))); });
  return view->quotient(c->compute + c->forward + c->reverse, c->size, c->staleness);
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = POTHOLE_FORWARD | POTHOLE_REVERSE,
                                              .name = "Interrupts",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = score,
                                              .choose = nullptr};
