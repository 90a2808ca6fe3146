// A signal handler cannot wake a thread, so that one looks now and then.
#include "cli/case_stops.h"

#include "cli/interrupt.h"

namespace pothole {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(10);

}  // namespace

CaseStops::CaseStops(std::size_t slots, Seconds limit)
    : limit_(std::chrono::duration_cast<Clock::duration>(limit)), slots_(slots), thread_([this] { watch(); }) {}

CaseStops::~CaseStops() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

const std::atomic<bool>& CaseStops::begin(std::size_t slot) {
  const std::lock_guard lock(mutex_);
  Slot& s = slots_[slot];
  s.stop = stop_requested().load();
  s.until = Clock::now() + limit_;
  s.under_way = true;
  return s.stop;
}

void CaseStops::end(std::size_t slot) {
  const std::lock_guard lock(mutex_);
  slots_[slot].under_way = false;
}

void CaseStops::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kBetweenLooks, [this] { return over_; })) {
    const bool all = stop_requested();
    const auto now = Clock::now();
    for (Slot& slot : slots_)
      if (slot.under_way && (all || now >= slot.until)) slot.stop = true;
  }
}

}  // namespace pothole
