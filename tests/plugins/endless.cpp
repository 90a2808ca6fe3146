// Never returns, and never asks anything.
#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double*) {
  while (true)
    if (*static_cast<const volatile uint32_t*>(&view->count) == 0) return 0;
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Endless",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
