/* DTR's own score as a plugin. Start a policy of your own from here. */
#include <pothole_policy.h>

/* (c + C(F) + C(R)) / (m s): cheap to bring back, large and stale goes first. */
static double score(const pothole_view* view, const pothole_candidate* b, const double* values) {
  const double dtr = view->quotient(b->compute + b->forward + b->reverse, b->size, b->staleness);
  return dtr * (1 + values[0] * (double)b->evictions);
}

static const pothole_parameter parameters[] = {
    {.key = "penalty",
     .help = "added to the factor 1 of the score for each time that the storage was evicted",
     .standard = 0,
     .least = 0,
     .most = 1e6},
};

const pothole_policy pothole_policy_plugin = {
    .abi = POTHOLE_POLICY_ABI,
    .features = POTHOLE_FORWARD | POTHOLE_REVERSE | POTHOLE_EVICTIONS,
    .name = "MyDTR",
    .sentence = "DTR, and a penalty for what was evicted before",
    .formula = "(c + C(F) + C(R)) / (m s) * (1 + penalty * evictions)",
    .parameters = parameters,
    .parameter_count = 1,
    .score = score,
};
