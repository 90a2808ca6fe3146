// What `check` prints: the object of README.md "check" (pothole-check/1), and text for people.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "corpus/trace.h"
#include "properties/subject.h"

namespace pothole {

struct CheckedProperty {
  const Property* property = nullptr;
  Verdict verdict;
};

// One policy on one trace.
struct CheckReport {
  RunSettings settings;
  BudgetRange range;
  std::vector<CheckedProperty> properties;
};

// A broken contract counts more than anything else, findings more than what is unresolved.
ExitCode exit_code_of(const std::vector<CheckReport>& reports, bool was_interrupted);

// One line without its end.
std::string check_json(const Trace& trace, Bytes peak, const std::vector<CheckReport>& reports);

// A table per policy. Nothing that was only sampled is worded as certain.
std::string check_text(const Trace& trace, Bytes peak, const std::vector<CheckReport>& reports, bool colours);

}  // namespace pothole
