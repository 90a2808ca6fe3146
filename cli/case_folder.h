// The folder that a command keeps cases in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pothole {

// With the folders above it, if it is not there. Throws InputError.
void make_case_folder(const std::filesystem::path& folder);

// While it lives, no other campaign may write to the folder. The lock is the kernel's, so that nothing is left of it
// after a kill. A folder that is not there is not locked.
class FolderLock {
 public:
  // Throws InputError if another process has it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// Files as they are named, and the .json files of folders by their names, a campaign's counts excepted. Throws
// InputError where there are none.
std::vector<std::filesystem::path> case_files(const std::vector<std::string>& paths);

}  // namespace pothole
