// Breaks its promise: its score counts how often it was asked, in all runs together.
#include <atomic>

#include "engine/plugin/pothole_policy.h"

static double score(const pothole_view* view, const pothole_candidate* candidate, const double*) {
  static std::atomic<uint32_t> asked{0};
  return static_cast<double>(1 + (candidate->storage + asked++) % (view->count + 1));
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Remembers",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = score,
                                              .choose = nullptr};
