// Writes where there is nothing.
#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double*) {
  volatile uintptr_t nowhere = 8;  // volatile, so that no compiler knows
  *reinterpret_cast<volatile uint32_t*>(nowhere) = view->count;
  return 0;
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Crashes",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
