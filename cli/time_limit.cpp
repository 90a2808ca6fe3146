// A thread that sleeps until the limit or the end of the search.
#include "cli/time_limit.h"

#include <fmt/format.h>

#include <charconv>

#include "cli/interrupt.h"
#include "corpus/input_error.h"

namespace pothole {

Seconds parse_duration(std::string_view text, const std::string& option) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
  constexpr double kLongest = 1e9;  // what a clock can still add to the time of day
  const std::string example = "write a number with s, min or h, such as 90s, 5min or 1.5h";
  const auto refuse = [&](std::string_view what) {
    throw InputError(option, fmt::format("'{}' {}", text, what), example);
  };
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc()) refuse("is not a duration");
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.empty()) refuse("has no unit");
  for (const Unit& known : kUnits) {
    if (unit != known.name) continue;
    const double seconds = number * known.seconds;
    if (!(seconds > 0)) refuse("is not positive");
    if (!(seconds <= kLongest)) refuse("is too long");
    return Seconds(seconds);
  }
  throw InputError(option, fmt::format("'{}' has the unknown unit '{}'", text, unit), example);
}

TimeLimit::TimeLimit(std::optional<Seconds> limit) {
  if (!limit) return;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(*limit);
  thread_ = std::thread([this, end] {
    std::unique_lock lock(mutex_);
    if (!wake_.wait_until(lock, end, [this] { return over_; })) request_stop();
  });
}

TimeLimit::~TimeLimit() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

}  // namespace pothole
