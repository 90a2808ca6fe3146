// Every eviction decision of an execution at some places, with the scores that it weighed.
#pragma once

#include <optional>
#include <vector>

#include "engine/explanation/history.h"

namespace pothole {

struct CandidateRow {
  StorageId storage = kNone;
  double score = 0;
};

struct TrackedRow {
  StorageId storage = kNone;
  bool in_pool = false;
  std::size_t rank = 0;  // from 1, of those in the pool
  double score = 0;
};

struct DecisionRow {
  Scene scene;
  StorageId victim = kNone;
  Bytes size = 0;
  std::uint32_t pool = 0;  // members
  Tick staleness = 0;
  std::optional<WideCost> neighbourhood;  // evicted compute around the victim, if the policy reads any
  std::optional<double> score;            // nothing if the policy has no scores
  std::vector<TrackedRow> tracked;        // as asked for; empty if the policy has no scores
  // The lowest scores first; of equal ones the later in the pool first, of zeros the earlier, as the scan does
  // (semantics section 7). A policy with rules beside its score may choose another than the first.
  std::vector<CandidateRow> lowest;
};

struct DecisionRange {
  static constexpr std::size_t kLowest = 10;
  std::uint32_t from = 0, to = 0;  // places [from, to)
  std::vector<StorageId> tracked;
  std::size_t rows_max = std::numeric_limits<std::size_t>::max();
};

struct DecisionTable {
  std::vector<DecisionRow> rows;
  bool cut = false;  // there were more
};

DecisionTable decisions_of(const Program& program, const RunSettings& settings, Bytes budget,
                           const DecisionRange& range, const RunOptions& options = {});

}  // namespace pothole
