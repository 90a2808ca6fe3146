// The tables of an explanation. Where rows are left out the last one says so, or the JSON report has them.
#pragma once

#include "cli/explanation.h"
#include "cli/table.h"

namespace pothole {

Table phase_table(const Explanation& e);  // events before the executions part, on the way, inside the failing place
Table difference_table(
    const Explanation& e);                  // places before the failing one with another peak of pinned bytes or depth
Table depth_table(const Explanation& e);    // how deep the failing place goes, as a histogram
Table rebuilt_table(const Explanation& e);  // and what it rebuilds, and where that went
Table intervention_table(const Explanation& e);
Table decision_table_of(const Explanation& e, const DecisionTable& decisions);
Table variation_table(const Explanation& e);  // of a small case: e.variation must be there

}  // namespace pothole
