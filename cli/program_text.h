// A small program as a table for people: one line an operator.
#pragma once

#include <string>

#include "engine/program.h"

namespace pothole {

// Each line indented by two blanks.
std::string program_text(const Program& program);

}  // namespace pothole
