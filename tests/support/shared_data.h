// Where tests find data that is not part of the repository: recorded outcomes of the reference
// simulator, odd logs, public traces. Absent data means a skipped test, never a passed one.
//
// POTHOLE_SHARED names a folder that holds conformance/ and edge-logs/, else it is ../shared beside
// the repository; POTHOLE_TRACES names the folder of the public traces, else it is traces/ in there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pothole {

std::filesystem::path shared_folder();
std::filesystem::path traces_folder();

// "conformance/maps.json" and the like, or nothing where it is absent.
std::optional<std::filesystem::path> shared_file(const std::string& relative);

// The public traces, by name; empty where they are absent.
std::vector<std::filesystem::path> public_traces();

// The reason printed with a skip.
std::string absent(const std::string& what);

// A folder for the files of one test, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string file_content(const std::filesystem::path& file);
void put_file(const std::filesystem::path& file, const std::string& content);

}  // namespace pothole
