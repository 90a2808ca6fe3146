// What the process says when it ends. The numbers are a promise to scripts; README.md lists them.
#pragma once

namespace pothole {

enum class ExitCode : int {
  nothing_found = 0,
  found = 1,            // a hole: a finding is an answer, not a failure of the tool
  bad_input = 2,        // also wrong usage, and output that could not be written
  contract_broken = 3,  // a mistake of ours
  work_left = 4,        // a limit stopped a search before it was complete
  policy_misbehaved = 5,
  interrupted = 130,
};

}  // namespace pothole
