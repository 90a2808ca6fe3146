// RandomStorage, written against the interface.
#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double*) {
  return static_cast<uint32_t>(view->draw(view, view->count));
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = POTHOLE_RANDOM,
                                              .name = "PluginRandom",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
