// POSIX calls, because the streams of the standard library can neither sync nor say what failed.
#include "corpus/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "corpus/input_error.h"

namespace pothole {
namespace fs = std::filesystem;

namespace {

class OpenFile {
 public:
  OpenFile(const fs::path& file, int flags, const fs::path& wanted) : wanted_(wanted) {
    constexpr mode_t kReadWriteForAll = 0666;  // less the user's mask
    do descriptor_ = ::open(file.c_str(), flags | O_WRONLY | O_CLOEXEC, kReadWriteForAll);
    while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) fail();
  }
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void set_mode(mode_t mode) {
    if (::fchmod(descriptor_, mode) != 0) fail();
  }
  // Closing is where a network file system reports a full disk.
  void finish() {
    if (::fsync(descriptor_) != 0) fail();
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(wanted_.string(), "cannot be written: " + std::generic_category().message(errno));
  }

  const fs::path& wanted_;
  int descriptor_ = -1;
};

// Removes the temporary file unless it took the place of the wanted one.
class Temporary {
 public:
  explicit Temporary(const fs::path& folder) {
    // Processes in different containers may share a folder and have the same number.
    static std::atomic<unsigned> count{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    path_ = folder / (".pothole-" + std::to_string(::getpid()) + "-" + std::to_string(now) + "-" +
                      std::to_string(count++) + ".tmp");
  }
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const fs::path& path() const { return path_; }
  void moved() { path_.clear(); }

 private:
  fs::path path_;
};

// The new name is durable once its folder is; a file system that cannot sync a folder has no such step.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_file(const fs::path& file, std::string_view content) {
  std::error_code error;
  fs::path target = file;
  // A link to a file that is not there yet is followed as well.
  for (int links = 0; fs::is_symlink(target, error) && links < 40; ++links)
    target = target.parent_path() / fs::read_symlink(target, error);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) throw InputError(file.string(), "is a directory", "name a file");
  if (exists && !S_ISREG(old.st_mode)) return OpenFile(target, 0, file).write(content);
  if (exists && ::access(target.c_str(), W_OK) != 0)
    throw InputError(file.string(), "cannot be written: " + std::generic_category().message(errno));

  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  Temporary temporary(folder);
  OpenFile out(temporary.path(), O_CREAT | O_EXCL, file);
  out.write(content);
  if (exists) out.set_mode(old.st_mode & 07777);
  out.finish();
  if (::rename(temporary.path().c_str(), target.c_str()) != 0)
    throw InputError(file.string(), "cannot be written: " + std::generic_category().message(errno));
  temporary.moved();
  sync_folder(folder);
}

}  // namespace pothole
