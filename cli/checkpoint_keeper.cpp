// One thread writes; the searches only append to lists.
#include "cli/checkpoint_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "cli/output.h"
#include "cli/plugin_option.h"
#include "cli/terminal.h"
#include "corpus/atomic_file.h"
#include "corpus/input_error.h"
#include "engine/plugin/plugin_policy.h"

namespace pothole {
namespace {

namespace fs = std::filesystem;

// A policy of the list may go by two names; others are their text.
bool same_policy(const std::string& a, const std::string& b) {
  if (a == b) return true;
  PolicyError error;
  const ConfiguredPolicy first = configure_policy(a, error), second = configure_policy(b, error);
  return first.policy != nullptr && first == second;
}

bool same_limit(const std::string& a, const std::string& b) {
  const auto first = OverheadLimit::parse(a), second = OverheadLimit::parse(b);
  return first && second && first->value() == second->value();
}

bool same_map(const CheckpointMap& a, const CheckpointMap& b) {
  return a.trace_sha256 == b.trace_sha256 && same_policy(a.policy, b.policy);
}

std::string range_text(const BudgetRange& range) { return fmt::format("{} to {} bytes", range.from, range.to - 1); }

// A checkpoint of the same trace and policy must be of the same of everything else.
void check_same_settings(const std::string& file, const CheckpointMap& held, const CheckpointMap& wanted) {
  const auto check = [&](bool same, std::string_view what, const auto& there, const auto& here) {
    if (same) return;
    throw InputError(
        file, fmt::format("is of {} {}, not {}, for {} on {}", what, there, here, wanted.policy, wanted.trace_name),
        "resume with the options of the first hunt");
  };
  check(held.dealloc == wanted.dealloc, "dealloc", held.dealloc, wanted.dealloc);
  check(same_limit(held.overhead_limit, wanted.overhead_limit), "overhead limit", held.overhead_limit,
        wanted.overhead_limit);
  check(held.seed == wanted.seed, "seed", held.seed, wanted.seed);
  check(held.comparison == wanted.comparison, "comparison", held.comparison, wanted.comparison);
  check(held.range.from == wanted.range.from && held.range.to == wanted.range.to, "the range", range_text(held.range),
        range_text(wanted.range));
}

}  // namespace

CheckpointMap checkpoint_map(const Trace& trace, const RunSettings& settings, const std::string& overhead_limit,
                             BudgetRange range) {
  CheckpointMap map;
  map.trace_name = trace.name;
  map.trace_sha256 = trace.sha256;
  map.policy = settings.policy.text;
  map.dealloc = name_of(settings.dealloc);
  map.overhead_limit = overhead_limit;
  map.comparison = name_of(settings.comparison);
  map.seed = settings.seed;
  map.range = range;
  return map;
}

CheckpointKeeper::CheckpointKeeper(const CheckpointOptions& options, std::vector<CheckpointMap> maps, bool sweeps)
    : file_(options.checkpoint.empty() ? options.resume : options.checkpoint),
      every_(parse_duration(options.every.empty() ? kCheckpointEvery : options.every, "--checkpoint-every")),
      kept_{POTHOLE_VERSION, std::move(maps)} {
  std::error_code error;
  const bool same_file = !options.resume.empty() && fs::equivalent(file_, options.resume, error);
  if (!same_file && fs::is_regular_file(file_, error)) {
    throw InputError("--checkpoint", fmt::format("'{}' exists already", file_),
                     fmt::format("go on from it with --resume {0}, or remove it", file_));
  }
  if (!options.resume.empty()) take_over(options.resume);
  if (!sweeps)
    for (CheckpointMap& map : kept_.maps) map.under_way.clear();
  write();
  mention_checkpoint_in_crashes();
  thread_ = std::thread([this] { write_now_and_then(); });
}

CheckpointKeeper::~CheckpointKeeper() {
  try {
    finish();
  } catch (const InputError&) {
    // Whoever wants to know has called finish().
  }
}

void CheckpointKeeper::take_over(const std::string& file) {
  Checkpoint held = read_checkpoint(file);
  if (held.tool != kept_.tool) {
    throw InputError(file, fmt::format("was written by pothole {}, this is {}", held.tool, kept_.tool),
                     "go on with the version that wrote it, or start again");
  }
  bool any = held.maps.empty();
  std::vector<CheckpointMap> others;
  for (CheckpointMap& map : held.maps) {
    bool wanted = false;
    for (CheckpointMap& mine : kept_.maps) {
      if (is_other_file_of_plugin(map.policy, mine.policy)) {
        throw InputError(file,
                         fmt::format("is of another file of the plugin: {}, not {}", with_short_digest(map.policy),
                                     with_short_digest(mine.policy)),
                         "what a plugin decided before it changed says nothing about it now: start again");
      }
      if (!same_map(map, mine)) continue;
      check_same_settings(file, map, mine);
      wanted = true;
      // A trace that was given twice is held twice.
      if (map.executions.size() < mine.executions.size()) continue;
      mine.work = map.work;
      mine.executions = map.executions;
      mine.under_way = map.under_way;
    }
    any = any || wanted;
    if (!wanted) others.push_back(std::move(map));
  }
  if (!any) {
    const CheckpointMap &there = others.front(), &here = kept_.maps.front();
    throw InputError(file,
                     fmt::format("is of {} on {} (sha256 {}), not of {} on {} (sha256 {})", there.policy,
                                 there.trace_name, there.trace_sha256, here.policy, here.trace_name, here.trace_sha256),
                     "resume with the traces and policies of the first hunt");
  }
  std::move(others.begin(), others.end(), std::back_inserter(kept_.maps));
}

std::vector<Execution> CheckpointKeeper::known(std::size_t map) const {
  const std::lock_guard lock(mutex_);
  std::vector<Execution> executions = kept_.maps[map].executions;
  sort_by_budget(executions);
  return executions;
}

std::vector<SweepPart> CheckpointKeeper::under_way(std::size_t map) const {
  const std::lock_guard lock(mutex_);
  std::vector<SweepPart> parts;
  for (const auto& part : kept_.maps[map].under_way) parts.push_back(*part);
  return parts;
}

SearchWork CheckpointKeeper::work(std::size_t map) const {
  const std::lock_guard lock(mutex_);
  SearchWork work = kept_.maps[map].work;
  for (const auto& part : kept_.maps[map].under_way)
    if (part) work += part->work;
  return work;
}

void CheckpointKeeper::add(std::size_t map, const SearchReport& report) {
  const std::lock_guard lock(mutex_);
  CheckpointMap& kept = kept_.maps[map];
  std::copy_if(report.found.begin(), report.found.end(), std::back_inserter(kept.executions),
               [](const Execution& e) { return is_evidence(e.outcome); });
  for (const PartReport& part : report.parts) {
    if (part.part >= kept.under_way.size()) kept.under_way.resize(part.part + 1);
    kept.under_way[part.part] = part.under_way;
    if (!part.under_way) kept.work += part.work;
  }
  changed_ = true;
}

void CheckpointKeeper::finish() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  write();
}

void CheckpointKeeper::write() {
  Checkpoint copy;
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(changed_, false)) return;
    copy = kept_;
  }
  for (CheckpointMap& map : copy.maps) sort_by_budget(map.executions);
  try {
    write_file(file_, checkpoint_text(copy));
  } catch (const InputError&) {
    const std::lock_guard lock(mutex_);
    changed_ = true;  // still to be written
    throw;
  }
}

void CheckpointKeeper::write_now_and_then() {
  Seconds pause = every_;
  bool failed = false;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return over_; })) {
    lock.unlock();
    const auto start = std::chrono::steady_clock::now();
    try {
      write();
      failed = false;
    } catch (const InputError& error) {
      // The search is worth more than its checkpoint; the last writing is what counts.
      // On a terminal a bar may stand in the line.
      const std::string_view begin = can_redraw(Stream::error) ? "\n" : "";
      if (!std::exchange(failed, true)) write_message(fmt::format("{}pothole: warning: {}\n", begin, error.what()));
    }
    // Of a large file no more than a tenth of the time is spent on writing.
    pause = std::max(every_, 10 * Seconds(std::chrono::steady_clock::now() - start));
    lock.lock();
  }
}

}  // namespace pothole
