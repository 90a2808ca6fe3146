// What is to be shrunk or explained: a program, the policy with a hole on it, and budgets that show the hole.
#pragma once

#include <optional>
#include <string>

#include "cli/hole_options.h"
#include "cli/options.h"
#include "shrinker/oracle.h"

namespace pothole {

struct HoleOrigin {
  std::string name, sha256;
  Program program;
  RunSettings settings;
  Witness witness;
  bool of_case = false;  // the trace is a case of a hole
};

// The program and the policy alone. Throws InputError.
HoleOrigin program_with_policy(const HoleOptions& options, const CommonOptions& common);

// What the budget option says. Throws InputError.
Bytes named_budget(const HoleOptions& options, const Program& program);

// With the budgets too. Throws InputError where there is no hole. Nothing if it was stopped before it knew.
std::optional<HoleOrigin> hole_origin(const HoleOptions& options, const CommonOptions& common);

// Throws InputError if the policy is no function of what it is given; `purpose` is what that forbids, such as "shrunk".
void check_deterministic(const HoleOrigin& origin, const HoleOptions& options, const std::string& purpose);

}  // namespace pothole
