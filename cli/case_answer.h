// What a policy does on a program, in the words of a case (corpus/case_file.h): how findings are made and how they are
// looked at again.
#pragma once

#include <optional>
#include <string>

#include "corpus/case_file.h"
#include "engine/run.h"
#include "engine/search.h"
#include "properties/property.h"

namespace pothole {

// Every budget up to the peak of the program.
BudgetRange range_of_case(const Program& program);

// The map of a small program: exact, unless the policy reads the budget itself. Such a policy is bisected with so few
// runs that its map does not depend on the machine.
FeasibilityMap map_of_case(const Program& program, const RunSettings& settings, BudgetRange range,
                           const SearchControl& control);

// What a policy did that no policy may, at the least budget; nothing if a plugin was not even asked.
std::optional<PolicyErrorInterval> first_policy_error(const FeasibilityMap& map);

// Of the property that there is no hole: the first one, or that there is none. Where the policy still completes, fails
// and completes at the budgets of `witness`, these are the budgets named.
CaseAnswer hole_answer(const Program& program, const RunSettings& settings, const FeasibilityMap& map,
                       const std::optional<CaseBudgets>& witness = {});

// Of any other property, whose verdict it is.
CaseAnswer verdict_answer(const Program& program, const RunSettings& settings, const FeasibilityMap& map,
                          const Property& property, const Verdict& verdict);

// The question that a case asks: everything but its answer and its provenance.
Case case_about(const Program& program, const RunSettings& settings, std::string_view property);

// The settings that a case names, for runs of its program. A plugin is not found by its text: it is looked for among
// `plugins`. Throws InputError, naming `where`, if there is no such policy or it cannot be run so.
RunSettings settings_of(const Case& c, std::span<const RunSettings> plugins, const std::string& where);

}  // namespace pothole
