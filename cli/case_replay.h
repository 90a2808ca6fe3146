// One case replayed: its record against what its policy does now, and what other policies do on its program.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case_file.h"
#include "corpus/case_verdict.h"
#include "engine/run.h"

namespace pothole {

struct ReplayPlan {
  std::vector<RunSettings> policies;  // others to replay every case under, with the settings of the case
  std::int64_t steps_max = 0;         // materializations of one execution; beyond, it is unresolved
};

// What another policy does on the program of a case.
struct OtherPolicy {
  std::string text;                  // "[13, 16)", "[13, 16) +2", "none", "unresolved", or why it cannot be run
  std::optional<std::size_t> holes;  // nothing: unresolved, or not run
  bool misbehaved = false;
};

struct CaseReplay {
  std::filesystem::path file;
  std::optional<Case> record;  // nothing if it cannot be read
  CaseJudgement judgement;
  bool was_run = true;              // false: a limit or an interruption came before, and the case is unresolved
  bool misbehaved = false;          // the policy did what no policy may
  CaseAnswer found;                 // of a case that was run to its end
  std::vector<OtherPolicy> others;  // as in the plan; empty for what cannot be read or was not run
};

// Never throws for what is wrong with the case: that is a verdict. Does not depend on what runs beside it.
CaseReplay replay_case(const std::filesystem::path& file, const ReplayPlan& plan, const std::atomic<bool>& stop);

// A case that there was no time for.
CaseReplay case_not_run(const std::filesystem::path& file);

}  // namespace pothole
