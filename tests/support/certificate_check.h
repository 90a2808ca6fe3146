// What a certificate claims, tried out: the same execution at every budget in it, another at its end.
#pragma once

#include <string>

#include "engine/run.h"
#include "tests/support/any_program.h"

namespace pothole {

// Runs at `budget`, then at lo, at hi - 1, at a few random budgets between and at hi. Says what is
// wrong, or nothing.
std::string broken_certificate(const Program& program, const RunSettings& settings, Bytes budget, SplitMix& random);

}  // namespace pothole
