// What `replay` prints: a line for each case as it comes, at the end their number by verdict, and the table of
// policies.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/case_replay.h"

namespace pothole {

// A line, and for what is not the same why, and the command that shows it. `blessed`: it has become the record.
std::string replay_text(const CaseReplay& replay, bool blessed, bool colours);
std::string replay_json(const CaseReplay& replay, const ReplayPlan& plan, bool blessed);

// A failure where a case differs from its record, an error where nothing could be said, skipped where it was not run.
std::string replay_junit(std::span<const CaseReplay> replays);

std::string replay_summary_text(std::span<const CaseReplay> replays, bool colours);
std::string replay_summary_json(std::span<const CaseReplay> replays);

// Who fails where: a row for each case, a column for each policy, with the first hole that each has.
std::string policies_text(std::span<const CaseReplay> replays, const ReplayPlan& plan);

}  // namespace pothole
