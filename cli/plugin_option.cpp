// A file name may contain '@' and '=': the parameters begin at the last '@', unless the whole text is a file.
#include "cli/plugin_option.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "cli/crash_case.h"
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

std::atomic<bool> checkpoint_kept{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void end_after_crash(const CallPlace& place, std::string_view how) {
  const bool loading = place.op == kNone;
  SignalText text;
  text << "\npothole: error: plugin " << place.plugin << " " << how;
  if (loading)
    text << " while it was loaded\n";
  else
    text << " in a choice of trace " << place.trace << ", operator " << std::int64_t{place.op} << ", budget "
         << place.budget << "\n  everything ends here, as its memory cannot be trusted"
         << (checkpoint_kept ? "; the checkpoint keeps what was found\n" : "\n");
  if (const std::string_view file = loading ? std::string_view() : keep_crash_case(place.trace); !file.empty())
    text << "  the case is kept in " << file << ", the findings before it beside it\n";
  text.write_to_errors();
  _exit(static_cast<int>(loading ? ExitCode::bad_input : ExitCode::policy_misbehaved));
}

// How long the file is at least, by its ELF header, as far as that can be read.
std::uint64_t size_by_header(std::string_view content) {
  Elf64_Ehdr header;
  if (content.size() < sizeof header) return sizeof header;
  std::memcpy(&header, content.data(), sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return 0;  // dlopen says what it is
  std::uint64_t size = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const std::uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment;
    if (at > content.size() || content.size() - at < sizeof segment) return at + sizeof segment;
    std::memcpy(&segment, content.data() + at, sizeof segment);
    size = std::max(size, segment.p_offset + segment.p_filesz);
  }
  return size;
}

std::string sha256_of_library(const std::string& file, const std::string& where) {
  std::string content;
  try {
    content = read_regular_file(file);
  } catch (const InputError& error) {
    throw InputError(where, fmt::format("{}: {}", error.where(), error.what_is_wrong()),
                     "name the shared library, such as ./libmine.so");
  }
  if (!content.starts_with("\x7f"
                           "ELF"))
    throw InputError(where, fmt::format("'{}' is not a shared library", file), "name what the linker made, libmine.so");
  // What is missing at its end would be a bus error, now or in the middle of a hunt.
  if (size_by_header(content) > content.size())
    throw InputError(where, fmt::format("'{}' is truncated: it ends before what its header names", file),
                     "build or copy it again");
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

void mention_checkpoint_in_crashes() { checkpoint_kept = true; }

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
