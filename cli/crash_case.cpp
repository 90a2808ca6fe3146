#include "cli/crash_case.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace pothole {
namespace {

// A lock that the signal handler may ask for: foreign code, where crashes are, never runs with it held.
class SpinLock {
 public:
  SpinLock() {
    while (held_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~SpinLock() { held_.clear(std::memory_order_release); }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

 private:
  static inline std::atomic_flag held_;
};

CrashCase* first = nullptr;  // of a list, as the handler may not ask for memory

bool written(const std::string& file, std::string_view text) {
  constexpr mode_t kReadWriteForAll = 0666;  // less the user's mask
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadWriteForAll);
  if (descriptor < 0) return false;
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0) break;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  ::close(descriptor);
  if (!text.empty()) ::unlink(file.c_str());  // half a case is none
  return text.empty();
}

}  // namespace

CrashCase::CrashCase(std::string trace, const std::filesystem::path& file, std::string text)
    : trace_(std::move(trace)), file_(file.string()), text_(std::move(text)) {
  const SpinLock lock;
  next_ = std::exchange(first, this);
}

CrashCase::~CrashCase() {
  const SpinLock lock;
  CrashCase** at = &first;
  while (*at != this) at = &(*at)->next_;
  *at = next_;
}

std::string_view keep_crash_case(std::string_view trace) {
  const SpinLock lock;
  for (const CrashCase* c = first; c != nullptr; c = c->next_)
    if (c->trace_ == trace) return written(c->file_, c->text_) ? std::string_view(c->file_) : std::string_view();
  return {};
}

}  // namespace pothole
