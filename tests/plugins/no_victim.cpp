// Chooses nobody.
#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double*) { return view->count > 0 ? POTHOLE_NONE : 0; }

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "NoVictim",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
