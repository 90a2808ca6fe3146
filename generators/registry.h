// Declares what generators/generators.def lists.
#pragma once

#include "generators/generator.h"

namespace pothole {

#define POTHOLE_GENERATOR(name) Generator name##_generator();
#include "generators/generators.def"
#undef POTHOLE_GENERATOR

}  // namespace pothole
