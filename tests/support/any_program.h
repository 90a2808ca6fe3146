// Random programs as RapidCheck shows and shrinks them, and as text.
#pragma once

#include <rapidcheck/gen/Create.h>

#include <cstdint>
#include <iosfwd>
#include <string>

#include "generators/random_program.h"

namespace pothole {

// With many executions of many steps.
Program long_program(std::uint64_t seed, std::int64_t operators = 300);

// What random_program needs to give the same program again; shown by RapidCheck with the program.
struct ProgramSeed {
  std::uint64_t seed = 0;
  std::int64_t operators = 0;
  Program program() const { return random_program(seed, operators); }
};

void showValue(const ProgramSeed& seed, std::ostream& out);

// Up to `operators_max` operators; shrinks towards fewer.
rc::Gen<ProgramSeed> any_program_seed(std::int64_t operators_max);
rc::Gen<Program> any_program(std::int64_t operators_max);

// The commands of a program as text, one a line, for failure messages.
std::string listing(const Program& program);
void showValue(const Program& program, std::ostream& out);

}  // namespace pothole
