// A hole planted on purpose, for testing the fuzzer: least recently used, but the most recently used of all where the
// request is short by so many bytes, as it is only at some budgets.
#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double*) {
  const bool bad = view->fits_after(view, 1) == 0 && (view->resident < 2 || view->fits_after(view, 2) == 1);
  uint32_t victim = 0;
  for (uint32_t i = 1; i < view->count; ++i) {
    const int64_t best = view->candidate(view, victim).last_access, access = view->candidate(view, i).last_access;
    if (bad ? access > best : access < best) victim = i;
  }
  return victim;
}

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = POTHOLE_BUDGET,
                                              .name = "Canary",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = nullptr,
                                              .parameter_count = 0,
                                              .score = nullptr,
                                              .choose = choose};
