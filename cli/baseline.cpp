#include "cli/baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/input_error.h"

namespace pothole {
namespace {

constexpr const char* kFix = "write it anew with pothole gate --write-baseline";

}  // namespace

Baseline::Baseline(const std::filesystem::path& file) : file_(file.string()) {
  Checkpoint held = read_checkpoint(file);
  tool_ = std::move(held.tool);
  maps_ = std::move(held.maps);
  if (maps_.empty()) throw InputError(file_, "holds no map", kFix);
  for (const CheckpointMap& map : maps_) {
    const CheckpointMap& first = maps_.front();
    if (map.policy != first.policy)
      throw InputError(file_, fmt::format("holds maps of {} and of {}", first.policy, map.policy),
                       "a baseline is of one policy");
    if (!map.under_way.empty())
      throw InputError(file_, fmt::format("the hunt on {} has not ended", map.trace_name),
                       "go on with pothole hunt --resume");
  }
}

FeasibilityMap Baseline::map_of(const HuntJob& job, const RunSettings& head, const std::string& overhead_limit) const {
  const std::string& name = job.trace.name;
  const auto at = std::find_if(maps_.begin(), maps_.end(),
                               [&](const CheckpointMap& m) { return m.trace_sha256 == job.trace.sha256; });
  if (at == maps_.end()) {
    const auto named =
        std::find_if(maps_.begin(), maps_.end(), [&](const CheckpointMap& m) { return m.trace_name == name; });
    if (named == maps_.end()) throw InputError(file_, fmt::format("has no map of {}", name), kFix);
    throw InputError(file_,
                     fmt::format("its {} has the hash {}, the one given {}: another trace", name, named->trace_sha256,
                                 job.trace.sha256),
                     kFix);
  }
  if (at->range.from != job.range.from || at->range.to != job.range.to)
    throw InputError(file_,
                     fmt::format("has budgets {} to {} of {}, not {} to {}", at->range.from, at->range.to - 1, name,
                                 job.range.from, job.range.to - 1),
                     "give the same range, or " + std::string(kFix));
  const auto expect = [&](std::string_view what, std::string_view there, std::string_view here) {
    if (there != here)
      throw InputError(file_, fmt::format("is of {} {}, not {}", what, there, here),
                       "give the same settings, or " + std::string(kFix));
  };
  expect("dealloc", at->dealloc, name_of(head.dealloc));
  expect("comparison", at->comparison, name_of(head.comparison));
  expect("overhead limit", at->overhead_limit, overhead_limit);
  FeasibilityMap map;
  map.from = at->range.from;
  map.to = at->range.to;
  map.executions = at->executions;
  map.why_missing = "the baseline has no outcome";
  return map;
}

std::string baseline_text(const std::vector<BaselineMap>& maps, const std::string& overhead_limit) {
  Checkpoint checkpoint{POTHOLE_VERSION, {}};
  for (const BaselineMap& m : maps) {
    CheckpointMap map = checkpoint_map(m.job->trace, m.report->settings, overhead_limit, m.job->range);
    for (const Execution& e : m.report->map.executions)
      if (is_evidence(e.outcome)) map.executions.push_back(e);
    checkpoint.maps.push_back(std::move(map));
  }
  return checkpoint_text(checkpoint);
}

}  // namespace pothole
