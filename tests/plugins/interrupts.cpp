// Interrupts the program as Ctrl-C does, the first time it is asked.
#include <csignal>

#include "engine/plugin/pothole_policy.h"

static double score(const pothole_view*, const pothole_candidate* candidate, const double*) {
  static const int sent = std::raise(SIGINT);
  return candidate->storage + sent;
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Interrupts",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = score,
                                              .choose = nullptr};
