// Declarations that are refused: built once for each number WRONG.
#include "engine/plugin/pothole_policy.h"

static double score(const pothole_view*, const pothole_candidate*, const double*) { return 1; }
static uint32_t choose(const pothole_view*, const double*) { return 0; }

static const pothole_parameter kParameters[] = {
    {.key = "a", .help = "a", .standard = WRONG == 7 ? 2 : 1, .least = 0, .most = 1, .integer = 0},
    {.key = WRONG == 8 ? "a" : "b", .help = "b", .standard = WRONG == 9 ? 0.5 : 1, .least = 0, .most = 1, .integer = 1},
    {.key = "c", .help = WRONG == 10 ? "" : "c", .standard = 0, .least = 0, .most = 0, .integer = 0}};

const pothole_policy pothole_policy_plugin = {.abi = POTHOLE_POLICY_ABI + (WRONG == 0),
                                              .features = WRONG == 1 ? 64u : 0u,
                                              .name = WRONG == 2   ? nullptr
                                                      : WRONG == 3 ? "DTR"
                                                      : WRONG == 4 ? "a name"
                                                                   : "Fine",
                                              .sentence = WRONG == 5 ? "two\nlines" : "a policy of the tests",
                                              .formula = nullptr,
                                              .parameters = kParameters,
                                              .parameter_count = WRONG == 11 ? 9 : 3,
                                              .score = WRONG == 6 ? nullptr : score,
                                              .choose = WRONG == 12 ? choose : nullptr};
