// Whether two programs are the same in everything that can be seen of them, and what differs first.
#pragma once

#include <gtest/gtest.h>

#include "engine/program.h"

namespace pothole {

testing::AssertionResult same_program(const Program& a, const Program& b);

}  // namespace pothole
