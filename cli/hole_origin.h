// What is to be shrunk or explained: a program, the policy with a hole on it, and budgets that show the hole.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "shrinker/oracle.h"

namespace pothole {

struct HoleOptions {
  std::string trace;  // or a case
  std::string budget, ratio;
  std::optional<std::size_t> hole;
  std::int64_t max_steps = 100'000;
  bool canonical = false;  // the program under made-up names, its tensors numbered anew
};

struct HoleOrigin {
  std::string name, sha256;
  Program program;
  RunSettings settings;
  Witness witness;
  bool of_case = false;  // the trace is a case of a hole
};

// The program and the policy alone. Throws InputError.
HoleOrigin program_with_policy(const HoleOptions& options, const CommonOptions& common);

// With the budgets too. Throws InputError where there is no hole. Nothing if it was stopped before it knew.
std::optional<HoleOrigin> hole_origin(const HoleOptions& options, const CommonOptions& common);

// Throws InputError if the policy is no function of what it is given; `purpose` is what that forbids, such as "shrunk".
void check_deterministic(const HoleOrigin& origin, const HoleOptions& options, const std::string& purpose);

}  // namespace pothole
