// Progress on stderr: a bar on a terminal, else a line now and then, and nothing in the first second.
//
// A bar and a time left are for work whose share says how long it takes. The share of budgets certified
// does not, as the low end of a range takes nearly all executions: it is shown as the number it is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace pothole {

struct ProgressSample {
  double seconds = 0;  // since the start
  double share = 0;    // of all work, 0 to 1
  std::int64_t steps = 0;
};

// Seconds left, judged from the speed in the later half of the samples; nothing while the two halves
// disagree by more than a factor of two, as any figure would then be a guess.
std::optional<double> time_left(const std::deque<ProgressSample>& samples);

struct ProgressWords {
  std::string unit;      // what a step is
  std::string share_of;  // what the share is of; nothing if it is of the work, and so a clock
};

// One line without its end; `bar_width` 0 leaves out the bar.
std::string progress_text(const std::string& label, const ProgressWords& words, const ProgressSample& now,
                          std::optional<double> seconds_left, std::size_t bar_width);

class Progress {
 public:
  Progress(std::string label, ProgressWords words, bool quiet);
  ~Progress();  // ends as finish() does
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From any thread: so many steps are done, together of the given share of all work.
  void add(std::int64_t steps, double share);

  void set_label(std::string label);

  // A message that must not be torn by the bar; nothing if quiet.
  void say(const std::string& message);

  // A part of the result, on standard output, likewise not torn.
  void say_result(const std::string& text);

  // Stops showing, so that results can be printed; clears the bar.
  void finish();

 private:
  void show_until_finished();
  void show(const ProgressSample& now);
  void clear_bar();

  const ProgressWords words_;
  const bool quiet_;
  const bool redraws_;
  std::atomic<double> share_{0};
  std::atomic<std::int64_t> steps_{0};
  std::mutex mutex_;  // guards all below but the thread
  std::condition_variable wake_;
  std::string label_;
  bool finished_ = false;
  bool bar_is_shown_ = false;
  std::deque<ProgressSample> samples_;
  std::thread thread_;
};

}  // namespace pothole
