// Generators as RapidCheck wants them: drawn as campaigns draw, shrunk towards the least value of every parameter.
#pragma once

#include <rapidcheck/Gen.h>

#include <iosfwd>

#include "generators/generator.h"

namespace pothole {

rc::Gen<Recipe> recipes(const Generator& generator);
// Of any generator.
rc::Gen<Recipe> recipes();

// What drawn recipes make. Shrinks as the recipe does.
rc::Gen<Program> programs(const Generator& generator);
rc::Gen<Program> programs();

void showValue(const Recipe& recipe, std::ostream& out);

}  // namespace pothole
