// A time box for each of several cases that are replayed beside each other. When it has passed, or when everything is
// to stop, the case is asked for a clean stop.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "cli/time_limit.h"

namespace pothole {

class CaseStops {
 public:
  CaseStops(std::size_t slots, Seconds limit);
  ~CaseStops();
  CaseStops(const CaseStops&) = delete;
  CaseStops& operator=(const CaseStops&) = delete;

  // Starts the clock of a slot; the flag is the case's until the next begin.
  const std::atomic<bool>& begin(std::size_t slot);
  void end(std::size_t slot);

 private:
  using Clock = std::chrono::steady_clock;
  struct Slot {
    std::atomic<bool> stop{false};
    bool under_way = false;
    Clock::time_point until;
  };
  void watch();

  const Clock::duration limit_;
  std::mutex mutex_;  // guards all below but the flags
  std::condition_variable wake_;
  std::deque<Slot> slots_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace pothole
