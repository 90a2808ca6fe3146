// A file name may contain '@' and '=': the parameters begin at the last '@', unless the whole text is a file.
#include "cli/plugin_option.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>

#include "cli/exit_code.h"
#include "corpus/input_error.h"
#include "corpus/regular_file.h"
#include "corpus/sha256.h"
#include "engine/plugin/guarded_call.h"
#include "engine/plugin/plugin_policy.h"

namespace pothole {
namespace {

// Text put together without memory or locks, which a signal handler may not ask for.
class SignalText {
 public:
  SignalText& operator<<(std::string_view text) {
    const std::size_t count = std::min(text.size(), bytes_.size() - used_);
    std::memcpy(bytes_.data() + used_, text.data(), count);
    used_ += count;
    return *this;
  }
  SignalText& operator<<(std::int64_t number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  void write_to_errors() const {
    if (::write(STDERR_FILENO, bytes_.data(), used_) < 0) return;  // nobody is left to tell
  }

 private:
  std::array<char, 2048> bytes_;
  std::size_t used_ = 0;
};

void end_after_crash(const CallPlace& place, std::string_view how) {
  const bool loading = place.op == kNone;
  SignalText text;
  text << "\npothole: error: plugin " << place.plugin << " " << how;
  if (loading)
    text << " while it was loaded\n";
  else
    text << " in a choice of trace " << place.trace << ", operator " << std::int64_t{place.op} << ", budget "
         << place.budget
         << "\n  everything ends here, as its memory cannot be trusted; a checkpoint keeps what was found\n";
  text.write_to_errors();
  _exit(static_cast<int>(loading ? ExitCode::bad_input : ExitCode::policy_misbehaved));
}

std::string sha256_of_library(const std::string& file, const std::string& where) {
  std::ifstream in;
  try {
    in = open_regular_file(file);
  } catch (const InputError& error) {
    throw InputError(where, fmt::format("{}: {}", error.where(), error.what_is_wrong()),
                     "name the shared library, such as ./libmine.so");
  }
  const std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) throw InputError(where, fmt::format("'{}' cannot be read", file));
  if (!content.starts_with("\x7f"
                           "ELF"))
    throw InputError(where, fmt::format("'{}' is not a shared library", file), "name what the linker made, libmine.so");
  Sha256 digest;
  digest.add(content);
  return digest.hex();
}

// The library that is loaded stays what it was when it was first named, whatever becomes of its file.
std::string first_sha256(const std::string& file, const std::string& where) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(mutex);
  std::string& digest = known[file];
  if (digest.empty()) digest = sha256_of_library(file, where);
  return digest;
}

}  // namespace

ConfiguredPolicy checked_plugin(const std::string& text, const std::string& limit, const std::string& where) {
  static std::once_flag crashes;
  std::call_once(crashes, [] { catch_crashes(end_after_crash); });
  PluginRequest request;
  request.limit = std::chrono::duration_cast<std::chrono::nanoseconds>(parse_duration(limit, "--plugin-limit"));
  std::error_code absent;
  const std::size_t at = std::filesystem::exists(text, absent) ? text.npos : text.rfind('@');
  request.file = text.substr(0, at);
  if (at != text.npos) request.parameters = text.substr(at + 1);
  request.sha256 = first_sha256(request.file, where);
  PolicyError error;
  ConfiguredPolicy configured = configure_plugin(request, error);
  if (!configured.policy) throw InputError(where, fmt::format("{} {}", request.file, error.what), error.fix);
  return configured;
}

}  // namespace pothole
