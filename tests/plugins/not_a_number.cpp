// The least recently used goes first, until the pool is large: then a score is not a number.
#include "engine/plugin/pothole_policy.h"

static double score(const pothole_view* view, const pothole_candidate* candidate, const double* values) {
  return view->count > values[0] ? __builtin_nan("") : static_cast<double>(candidate->last_access);
}

static const pothole_parameter kParameters[] = {
    {.key = "most", .help = "pool that it can bear", .standard = 2, .least = 0, .most = 1e6, .integer = 1}};

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "NotANumber",
                                              .sentence = "least recently used, or nothing at all",
                                              .formula = nullptr,
                                              .parameters = kParameters,
                                              .parameter_count = 1,
                                              .score = score,
                                              .choose = nullptr};
