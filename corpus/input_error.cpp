// The one line that a user sees of bad input.
#include "corpus/input_error.h"

#include <utility>

namespace pothole {
namespace {

std::string one_line(const std::string& where, const std::string& what, const std::string& fix) {
  std::string line = where.empty() ? what : where + ": " + what;
  if (!fix.empty()) line += " (" + fix + ")";
  return line;
}

}  // namespace

InputError::InputError(std::string where, std::string what, std::string fix)
    : std::runtime_error(one_line(where, what, fix)),
      where_(std::move(where)),
      what_(std::move(what)),
      fix_(std::move(fix)) {}

}  // namespace pothole
