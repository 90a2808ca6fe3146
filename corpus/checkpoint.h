// What an unfinished hunt has found and where its sweep is, in a file from which it can go on (`pothole-checkpoint/1`).
//
// A line that names the format and holds the digest of the rest, then a line for each map. Executions
// that a limit left unresolved are not kept: whoever goes on may have other limits. Nor are those that end in
// a mistake of the policy, which may be mended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/feasibility_map.h"
#include "engine/sweep_part.h"

namespace pothole {

struct CheckpointMap {
  std::string trace_name;
  // What the executions are a function of.
  std::string trace_sha256;
  std::string policy;
  std::string dealloc;
  std::string overhead_limit;
  std::string comparison;
  std::uint64_t seed = 0;
  BudgetRange range;

  SearchWork work;                    // of the parts of a sweep that came to their end
  std::vector<Execution> executions;  // in the range, in budget order and disjoint; ok, oom or thrashed
  // Parts of a sweep, of the budgets in between; null: has ended.
  std::vector<std::shared_ptr<const SweepPart>> under_way;
};

struct Checkpoint {
  std::string tool;  // the version that wrote it
  std::vector<CheckpointMap> maps;
};

std::string checkpoint_text(const Checkpoint& checkpoint);

// Throws InputError naming file and line, also where a single byte is not as it was written.
Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace pothole
