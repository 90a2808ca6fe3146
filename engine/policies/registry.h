// Declares what engine/policies/policies.def lists.
#pragma once

#include "engine/policy.h"

namespace pothole {

#define POTHOLE_POLICY(name) Policy name();
#include "engine/policies/policies.def"
#undef POTHOLE_POLICY

// Where policies were published.
namespace source {
inline constexpr std::string_view kDtr = "Kirisame et al., Dynamic Tensor Rematerialization, ICLR 2021";
inline constexpr std::string_view kStudy =
    "When More Memory Fails: Hidden Feasibility Holes in Dynamic Tensor Rematerialization";
inline constexpr std::string_view kStudyOfTControl =
    "When More Memory Fails, as a baseline inspired by T-Control (ASPLOS 2026, doi 10.1145/3779212.3790230)";
inline constexpr std::string_view kBelady =
    "Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966";
}  // namespace source

}  // namespace pothole
