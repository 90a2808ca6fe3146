// What is to be shrunk: a program, the policy with a hole on it, and budgets that show the hole.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "shrinker/oracle.h"

namespace pothole {

struct OriginOptions {
  std::string trace;  // or a case
  std::string budget, ratio;
  std::optional<std::size_t> hole;
  std::int64_t max_steps = 100'000;
};

struct ShrinkOrigin {
  std::string name, sha256;
  Program program;
  RunSettings settings;
  Witness witness;
};

// Throws InputError where there is no hole, or the policy is no function of what it is given. Nothing if it was
// stopped before it knew.
std::optional<ShrinkOrigin> shrink_origin(const OriginOptions& options, const CommonOptions& common);

}  // namespace pothole
