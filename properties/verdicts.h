// How checks put a verdict together.
#pragma once

#include <functional>
#include <string>

#include "properties/subject.h"

namespace pothole {

Verdict not_applicable(std::string_view why);
Verdict unresolved(std::string_view why);
Verdict unresolved(const PolicyFault& fault);
// By a run that is no evidence: it says why.
Verdict unresolved(const RunResult& run);
Verdict violated(std::string_view kind, std::optional<OperatorId> place, std::vector<Bytes> budgets,
                 std::vector<TensorId> storages, std::string text);

// Checks every run, in parallel where they are long. The violation of the smallest budget counts, then what
// could not be resolved; it holds if it holds of every run to which it applies, of which there must be one.
Verdict verdict_of_runs(const Subject& subject, const std::function<Verdict(const CheckedRun&)>& check);

// Of what was looked for in the map: a violation is certain whatever the rest of the map is, and that there is
// none only if all budgets have an outcome.
Verdict verdict_of_map(const Subject& subject, std::optional<Verdict> violation);

// "operator 4 (conv)" or "bringing back outputs".
std::string place_text(const Program& program, OperatorId place);

}  // namespace pothole
