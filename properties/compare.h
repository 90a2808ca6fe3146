// Comparing two executions that should be one.
#pragma once

#include "properties/verdicts.h"

namespace pothole {

// The first decision that differs, by index; nothing if all are the same.
std::optional<std::size_t> first_difference(std::span<const Decision> a, std::span<const Decision> b);

// What is expected of the execution that is compared with a checked one.
struct Expected {
  std::string_view kind;  // of the violation where it is another
  std::string_view what;  // "the run of ...", for people
  Certificate certificate;
  Measures measures;
};

// Holds if `other` has the same outcome and decisions as the checked run, and what else is expected.
Verdict verdict_of_same(const Subject& subject, const CheckedRun& run, const RunResult& other,
                        const Expected& expected);

}  // namespace pothole
