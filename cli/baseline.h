// A baseline: the maps of a policy, kept to be compared with later. The file is a checkpoint of finished hunts
// (`pothole-checkpoint/1`), so that what `hunt --checkpoint` leaves behind is one too.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/map_hunt.h"

namespace pothole {

class Baseline {
 public:
  // Throws InputError: no checkpoint, maps of several policies or settings, or maps that are not finished.
  explicit Baseline(const std::filesystem::path& file);

  const std::string& policy() const { return maps_.front().policy; }
  const std::string& tool() const { return tool_; }

  // The map of the baseline's policy on a job. Throws InputError, naming both, where the baseline's trace of that name
  // has another hash, or the budgets or settings are others, or there is none.
  FeasibilityMap map_of(const HuntJob& job, const RunSettings& head, const std::string& overhead_limit) const;

 private:
  std::string file_, tool_;
  std::vector<CheckpointMap> maps_;
};

// What a baseline file of these maps holds; `overhead_limit` is as given.
struct BaselineMap {
  const HuntJob* job = nullptr;
  const MapReport* report = nullptr;
};
std::string baseline_text(const std::vector<BaselineMap>& maps, const std::string& overhead_limit);

}  // namespace pothole
