// Looks up optional test data as shared_data.h says.
#include "tests/support/shared_data.h"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace pothole {
namespace fs = std::filesystem;

fs::path shared_folder() {
  const char* folder = std::getenv("POTHOLE_SHARED");
  return folder != nullptr ? fs::path(folder) : fs::path(POTHOLE_SOURCE_DIR).parent_path() / "shared";
}

fs::path traces_folder() {
  const char* folder = std::getenv("POTHOLE_TRACES");
  return folder != nullptr ? fs::path(folder) : shared_folder() / "traces";
}

std::optional<fs::path> shared_file(const std::string& relative) {
  fs::path file = shared_folder() / relative;
  if (fs::exists(file)) return file;
  return std::nullopt;
}

std::vector<fs::path> public_traces() {
  std::vector<fs::path> logs;
  std::error_code absent_folder;
  for (const auto& entry : fs::directory_iterator(traces_folder(), absent_folder))
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  std::sort(logs.begin(), logs.end());
  return logs;
}

std::string absent(const std::string& what) {
  return what + " is not here: set POTHOLE_SHARED or POTHOLE_TRACES (looked in " + shared_folder().string() + " and " +
         traces_folder().string() + ")";
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "pothole-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string file_content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_file(const fs::path& file, const std::string& content) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace pothole
