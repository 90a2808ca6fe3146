// --checkpoint and --resume: keeps what a hunt has found in a file while it goes on, and takes over what
// an earlier one had found.
#pragma once

#include <condition_variable>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "cli/time_limit.h"
#include "corpus/checkpoint.h"
#include "corpus/trace.h"
#include "engine/run.h"
#include "engine/search.h"

namespace pothole {

inline constexpr const char* kCheckpointEvery = "20s";

struct CheckpointOptions {
  std::string checkpoint;  // the file to write, or empty
  std::string resume;      // the file to read, or empty
  std::string every;       // a duration, or empty
  bool wanted() const { return !checkpoint.empty() || !resume.empty(); }
};

// The map of one policy on one trace, as a checkpoint identifies it. `overhead_limit` is as given.
CheckpointMap checkpoint_map(const Trace& trace, const RunSettings& settings, const std::string& overhead_limit,
                             BudgetRange range);

class CheckpointKeeper {
 public:
  // Takes over from the file to resume what belongs to `maps`, and writes the file for the first time.
  // Throws InputError: a file that is no checkpoint, is of other traces or settings, cannot be written
  // or would be lost. Parts of a sweep are of use to a sweep only: `sweeps`.
  CheckpointKeeper(const CheckpointOptions& options, std::vector<CheckpointMap> maps, bool sweeps);
  ~CheckpointKeeper();  // finishes if it can: output that failed is no reason to lose what was found
  CheckpointKeeper(const CheckpointKeeper&) = delete;
  CheckpointKeeper& operator=(const CheckpointKeeper&) = delete;

  // Of the map with this index among those given: what was known at the start, in budget order.
  std::vector<Execution> known(std::size_t map) const;
  // Likewise the parts that were under way; before anything is added.
  std::vector<SweepPart> under_way(std::size_t map) const;
  // Of all parts, ended or not.
  SearchWork work(std::size_t map) const;

  // From any thread.
  void add(std::size_t map, const SearchReport& report);

  // Writes what there is. Throws InputError where that fails.
  void finish();

 private:
  void take_over(const std::string& file);
  void write();
  void write_now_and_then();

  std::string file_;
  Seconds every_;
  mutable std::mutex mutex_;  // guards all below but the thread
  std::condition_variable wake_;
  Checkpoint kept_;  // the given maps first, then what else the resumed file held
  bool changed_ = true;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace pothole
