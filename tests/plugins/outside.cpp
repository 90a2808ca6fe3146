// Chooses the member behind the last one.
#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double*) { return view->count; }

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Outside",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
