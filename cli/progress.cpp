// One thread wakes a few times a second, reads two counters and writes a line.
#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "cli/output.h"
#include "cli/terminal.h"

namespace pothole {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSilentSeconds = 1;
constexpr double kBarSeconds = 0.2;
constexpr double kLineSeconds = 10;
constexpr double kMemorySeconds = 20;  // of samples for the estimate
constexpr std::size_t kBarWidth = 24;

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string bar_text(double share, std::size_t width) {
  const auto filled = std::min(width, static_cast<std::size_t>(share * static_cast<double>(width)));
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
}

double speed(const ProgressSample& from, const ProgressSample& to) {
  return to.seconds > from.seconds ? (to.share - from.share) / (to.seconds - from.seconds) : 0;
}

}  // namespace

std::optional<double> time_left(const std::deque<ProgressSample>& samples) {
  if (samples.size() < 3 || samples.back().seconds - samples.front().seconds < kSilentSeconds) return std::nullopt;
  const ProgressSample& middle = samples[samples.size() / 2];
  const double before = speed(samples.front(), middle);
  const double recent = speed(middle, samples.back());
  if (before <= 0 || recent <= 0 || before > 2 * recent || recent > 2 * before) return std::nullopt;
  return (1 - samples.back().share) / recent;
}

std::string progress_text(const std::string& label, const ProgressWords& words, const ProgressSample& now,
                          std::optional<double> seconds_left, std::size_t bar_width) {
  const double share = std::clamp(now.share, 0.0, 1.0);
  std::string text = label + "  ";
  if (bar_width > 0) text += bar_text(share, bar_width);
  // Rounded down: 100 % is said when it is true.
  const std::string percent = fmt::format("{:.1f} %", std::floor(share * 1000) / 10);
  if (words.share_of.empty()) text += percent + "  ";
  text += fmt::format("{} {}", now.steps, words.unit);
  if (now.seconds > 0) text += fmt::format(" ({:.0f}/s)", static_cast<double>(now.steps) / now.seconds);
  if (!words.share_of.empty()) text += fmt::format("  {} {}", percent, words.share_of);
  text += fmt::format("  {} elapsed", clock_text(now.seconds));
  if (seconds_left) text += fmt::format(", about {} left", clock_text(std::ceil(*seconds_left)));
  return text;
}

Progress::Progress(std::string label, ProgressWords words, bool quiet)
    : words_(std::move(words)), quiet_(quiet), redraws_(can_redraw(Stream::error)), label_(std::move(label)) {
  if (!quiet) thread_ = std::thread([this] { show_until_finished(); });
}

Progress::~Progress() { finish(); }

void Progress::add(std::int64_t steps, double share) {
  share_.fetch_add(share, std::memory_order_relaxed);
  steps_.fetch_add(steps, std::memory_order_relaxed);
}

void Progress::set_label(std::string label) {
  const std::lock_guard lock(mutex_);
  label_ = std::move(label);
}

void Progress::say(const std::string& message) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  clear_bar();
  write_message(message);
}

void Progress::say_result(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear_bar();
  write_output(text);
  flush_output();
}

void Progress::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_all();
  thread_.join();
  clear_bar();
}

void Progress::show_until_finished() {
  const auto start = Clock::now();
  double next_shown = kSilentSeconds;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::duration<double>(kBarSeconds), [this] { return finished_; })) {
    const ProgressSample now{std::chrono::duration<double>(Clock::now() - start).count(), share_.load(), steps_.load()};
    samples_.push_back(now);
    while (now.seconds - samples_.front().seconds > kMemorySeconds) samples_.pop_front();
    if (now.seconds < next_shown) continue;
    next_shown = now.seconds + (redraws_ ? kBarSeconds : kLineSeconds);
    show(now);
  }
}

void Progress::show(const ProgressSample& now) {
  const bool is_clock = words_.share_of.empty();
  const std::string text = progress_text(label_, words_, now, is_clock ? time_left(samples_) : std::nullopt,
                                         is_clock && redraws_ ? kBarWidth : 0);
  // Carriage return and "erase to the end of the line" redraw in place.
  write_message(redraws_ ? "\r" + text.substr(0, columns_of(Stream::error) - 1) + "\033[K" : text + "\n");
  bar_is_shown_ = redraws_;
}

void Progress::clear_bar() {
  if (std::exchange(bar_is_shown_, false)) write_message("\r\033[K");
}

}  // namespace pothole
