// The case that is kept when a plugin crashes in it. The process must end there and then, inside a signal handler, so
// that the text of the case lies ready before the plugin is called.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pothole {

// While it lives, a crash of a plugin in a run of the trace of this name writes the file.
class CrashCase {
 public:
  CrashCase(std::string trace, const std::filesystem::path& file, std::string text);
  ~CrashCase();
  CrashCase(const CrashCase&) = delete;
  CrashCase& operator=(const CrashCase&) = delete;

 private:
  friend std::string_view keep_crash_case(std::string_view trace);
  const std::string trace_, file_, text_;
  CrashCase* next_ = nullptr;
};

// For the signal handler: the file of the case, which is on disk now; empty if there is none or it cannot be written.
std::string_view keep_crash_case(std::string_view trace);

}  // namespace pothole
