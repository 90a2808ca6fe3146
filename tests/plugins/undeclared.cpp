// Asks what it may not ask.
#include "engine/plugin/pothole_policy.h"

static uint32_t choose(const pothole_view* view, const double* values) {
  if (values[0] == 0) return static_cast<uint32_t>(view->fits_after(view, 0));
  if (values[0] == 1) return static_cast<uint32_t>(view->draw(view, view->count));
  return view->candidate(view, view->count + 1).storage;
}

static const pothole_parameter kParameters[] = {
    {.key = "what", .help = "is asked", .standard = 0, .least = 0, .most = 2, .integer = 1}};

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI,
                                              .features = 0,
                                              .name = "Undeclared",
                                              .sentence = "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = kParameters,
                                              .parameter_count = 1,
                                              .score = nullptr,
                                              .choose = choose};
