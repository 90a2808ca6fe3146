// Takes the process down as if all were well.
#include <cstdlib>

#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view*, const double*) { std::exit(0); }

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Exits",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
