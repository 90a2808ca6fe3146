// The executions that a search has found so far, from all its threads.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "engine/search.h"

namespace pothole {

class ExecutionLog {
 public:
  // The control, with its callback, must outlive the log.
  ExecutionLog(const SearchControl& control, std::span<const Execution> known)
      : control_(control), found_(known.begin(), known.end()) {}

  void add(std::span<const Execution> executions, std::span<const PartReport> parts = {});
  // In budget order.
  std::vector<Execution> take();

 private:
  const SearchControl& control_;
  std::mutex mutex_;
  std::vector<Execution> found_;
};

// Runs at a budget of the range; the execution is cut to the range. Nothing if the search was stopped
// meanwhile.
std::optional<Execution> run_within(const Program& program, const RunSettings& settings, Bytes budget,
                                    BudgetRange range, const SearchControl& control);

}  // namespace pothole
