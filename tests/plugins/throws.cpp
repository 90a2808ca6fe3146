// Throws through the C interface.
#include <stdexcept>

#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double*) {
  if (view->count > 1) throw std::runtime_error("no idea");
  throw 1;
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Throws",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
