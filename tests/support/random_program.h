// Random valid programs for tests, the same on every machine for the same seed.
//
// Swarm style: every program has its own random choice of features, so that rare combinations and
// the absence of a feature both occur. A program with fewer operators of the same seed and knobs is
// nearly a prefix of the longer one, which is how failures shrink.
#pragma once

#include <rapidcheck/gen/Create.h>

#include <cstdint>
#include <iosfwd>

#include "engine/program.h"

namespace pothole {

// A splitmix64 sequence. The standard distributions may differ between libraries, so there are none.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // Uniform enough in [least, most].
  std::int64_t between(std::int64_t least, std::int64_t most);
  bool chance(int percent) { return between(1, 100) <= percent; }

 private:
  std::uint64_t state_;
};

enum class Quantities : std::uint8_t {
  tiny,       // 0 to 3, zero and equal ones often
  equal,      // all one value
  near_ties,  // multiples of one value, now and then one more or less
  ordinary,   // up to a few thousand
  large,      // 2^40 to 2^53
};

struct ProgramKnobs {
  std::int64_t operators = 12;  // constants count
  std::int64_t arguments_max = 3;
  bool multiple_outputs = true;
  bool aliases = true;
  bool crossing_aliases = true;  // aliasing operators with arguments in several storages
  bool constants = true;
  bool repeated_arguments = true;
  bool gets = true;
  bool releases = true;
  bool use_after_release = true;
  bool mutations = true;  // fresh outputs of the size of an argument's storage, which is then released
  bool pins = true;
  bool long_chains = false;  // arguments are mostly recent tensors
  Quantities sizes = Quantities::ordinary;
  Quantities costs = Quantities::ordinary;
};

// Every feature on or off by the seed.
ProgramKnobs swarm_knobs(std::uint64_t seed, std::int64_t operators);

Program random_program(std::uint64_t seed, const ProgramKnobs& knobs);

// With many executions of many steps.
Program long_program(std::uint64_t seed, std::int64_t operators = 300);

// swarm_knobs and random_program of one seed.
Program random_program(std::uint64_t seed, std::int64_t operators);

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
