#include "cli/case_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "cli/campaign.h"
#include "corpus/input_error.h"

namespace pothole {

void make_case_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(folder.string(), "cannot be made: " + error.message(), "give another --out");
}

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // A file system without locks has none to offer.
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw InputError(folder.string(), "another campaign is running in this folder", "wait for it, or give another --out");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::vector<std::filesystem::path> case_files(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      if (!std::filesystem::exists(path, error))
        throw InputError(path, "there is no such file or folder", "name cases, or folders of cases");
      files.emplace_back(path);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::filesystem::path& file = entry.path();
      if (entry.is_regular_file() && file.extension() == ".json" && file.filename() != Campaign::file_in({}).filename())
        found.push_back(file);
    }
    if (found.empty()) throw InputError(path, "holds no case", "name a folder with .json files of cases");
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace pothole
