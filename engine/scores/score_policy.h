// A score expression as a policy: scanned as every policy that scores is (semantics section 7).
#pragma once

#include <string_view>

#include "engine/policy.h"

namespace pothole {

// Parses EXPRESSION or NAME=EXPRESSION. A name is a letter and letters, digits, '_' and '-', 64 in all, no word of
// expressions and no name of a policy. Runs of blanks become one in what is shown. On error the policy is null and
// `error` says why and where.
ConfiguredPolicy configure_score(std::string_view text, PolicyError& error);

}  // namespace pothole
