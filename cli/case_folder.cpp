#include "cli/case_folder.h"

#include <system_error>

#include "corpus/input_error.h"

namespace pothole {

void make_case_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(folder.string(), "cannot be made: " + error.message(), "give another --out");
}

}  // namespace pothole
