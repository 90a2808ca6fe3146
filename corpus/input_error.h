// Bad input from outside: a trace, a case, a batch line or an option.
#pragma once

#include <stdexcept>
#include <string>

namespace pothole {

// Thrown in corpus/ and cli/ only and caught in cli/ only, where it becomes one message and exit 2.
class InputError : public std::runtime_error {
 public:
  // `where` is "file:line", "file" or an option; `fix` may be empty.
  InputError(std::string where, std::string what, std::string fix = "");

  const std::string& where() const { return where_; }
  const std::string& what_is_wrong() const { return what_; }
  const std::string& fix() const { return fix_; }

 private:
  std::string where_, what_, fix_;
};

}  // namespace pothole
