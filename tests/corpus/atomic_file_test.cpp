// A file is complete or as it was before, and nothing is left beside it.
#include "corpus/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "corpus/input_error.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

std::string error_of_writing(const fs::path& file, const std::string& content) {
  try {
    write_file(file, content);
  } catch (const InputError& error) {
    EXPECT_EQ(error.where(), file.string());
    return error.what_is_wrong();
  }
  return "no error";
}

std::size_t entries(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}));
}

// Files of this process may not grow beyond `bytes` while it lives: writing then fails as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit old_{};
};

TEST(WriteFile, MakesAndReplacesFiles) {
  TemporaryFolder folder;
  write_file(folder / "a", "one");
  EXPECT_EQ(file_content(folder / "a"), "one");
  write_file(folder / "a", "");
  EXPECT_EQ(file_content(folder / "a"), "");
  const std::string large(3'000'000, 'x');
  write_file(folder / "a", large);
  EXPECT_EQ(file_content(folder / "a"), large);
  EXPECT_EQ(entries(folder), 1u);
}

TEST(WriteFile, AFailedWriteLeavesTheOldFileAndNothingElse) {
  TemporaryFolder folder;
  write_file(folder / "a", "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THAT(error_of_writing(folder / "a", std::string(5000, 'x')), HasSubstr("cannot be written: File too large"));
    EXPECT_THAT(error_of_writing(folder / "b", std::string(5000, 'x')), HasSubstr("cannot be written"));
  }
  EXPECT_EQ(file_content(folder / "a"), "old");
  EXPECT_EQ(entries(folder), 1u);
}

TEST(WriteFile, PlacesThatCannotBeWrittenAreNamed) {
  TemporaryFolder folder;
  EXPECT_THAT(error_of_writing(folder / "no/such/folder", "x"), HasSubstr("No such file or directory"));
  EXPECT_THAT(error_of_writing(folder.path(), "x"), HasSubstr("is a directory"));
  EXPECT_THAT(error_of_writing("", "x"), HasSubstr("no file name"));
  EXPECT_EQ(entries(folder), 0u);
}

TEST(WriteFile, AFullDiskIsReported) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  EXPECT_THAT(error_of_writing("/dev/full", "x"), HasSubstr("No space left on device"));
}

TEST(WriteFile, DevicesAreWrittenInPlace) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WriteFile, KeepsPermissionsAndLinks) {
  TemporaryFolder folder;
  write_file(folder / "a", "one");
  fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink("a", folder / "link");
  write_file(folder / "link", "two");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(file_content(folder / "a"), "two");
  EXPECT_EQ(fs::status(folder / "a").permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink("later", folder / "early");
  write_file(folder / "early", "three");
  EXPECT_EQ(file_content(folder / "later"), "three");
  fs::create_symlink("loop", folder / "loop");
  EXPECT_NE(error_of_writing(folder / "loop", "x"), "no error");
}

TEST(WriteFile, NewFilesHaveThePermissionsTheUserWants) {
  TemporaryFolder folder;
  const mode_t old = umask(027);
  write_file(folder / "a", "x");
  umask(old);
  EXPECT_EQ(fs::status(folder / "a").permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

}  // namespace
}  // namespace pothole
