#include "tests/support/native_text.h"

#include <sstream>

#include "corpus/trace.h"

namespace pothole {

std::string native_text(const Program& program) {
  std::ostringstream out;
  write_trace(out, Trace{"program", "", program, {}});
  return out.str();
}

}  // namespace pothole
