// A program as text of the native format, for comparisons of whole programs.
#pragma once

#include <string>

#include "engine/program.h"

namespace pothole {

std::string native_text(const Program& program);

}  // namespace pothole
