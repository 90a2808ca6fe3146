// Progress on stderr: a bar on a terminal, else a line now and then, and nothing in the first second.
//
// The share of budgets certified is a poor clock: the low end of a range takes nearly all executions.
// So the executions and their rate are shown too, and a time left only where the recent past supports it.
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

// One line without its end; `bar_width` 0 leaves out the bar. `unit` is what a step is.
std::string progress_text(const std::string& label, const std::string& unit, const ProgressSample& now,
                          std::optional<double> seconds_left, std::size_t bar_width);

class Progress {
 public:
  Progress(std::string label, std::string unit, bool quiet);
  ~Progress();  // ends as finish() does
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From any thread: a step of the given share of all work is done.
  void add_step(double share);

  void set_label(std::string label);

  // Stops showing, so that results can be printed; clears the bar.
  void finish();

 private:
  void show_until_finished();
  void show(const ProgressSample& now);
  void clear_bar();

  const std::string unit_;
  const bool bar_;
  std::atomic<double> share_{0};
  std::atomic<std::int64_t> steps_{0};
  std::mutex mutex_;  // guards label_ and finished_
  std::condition_variable wake_;
  std::string label_;
  bool finished_ = false;
  bool bar_is_shown_ = false;           // of the showing thread
  std::deque<ProgressSample> samples_;  // of the showing thread
  std::thread thread_;
};

}  // namespace pothole
