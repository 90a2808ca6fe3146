// A score expression as a policy: scanned as every policy that scores is (semantics section 7).
#pragma once

#include <string_view>

#include "engine/policy.h"

namespace pothole {

// Parses EXPRESSION or NAME=EXPRESSION, a name being a letter and letters, digits, '_' and '-'. On error the policy
// is null and `error` says why and where.
ConfiguredPolicy configure_score(std::string_view text, PolicyError& error);

}  // namespace pothole
