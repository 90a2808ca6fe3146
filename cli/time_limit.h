// --time: asks for a clean stop once it has passed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace pothole {

using Seconds = std::chrono::duration<double>;

// A number with a unit: "90s", "5min", "1.5h". Throws InputError naming `option`.
Seconds parse_duration(std::string_view text, const std::string& option);

class TimeLimit {
 public:
  // Without a limit nothing ever happens.
  explicit TimeLimit(std::optional<Seconds> limit);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  std::mutex mutex_;  // guards over_
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace pothole
