// Random valid programs of any shape, with every instruction there is. `gen:random` draws from these.
//
// Swarm style (Groce et al., ISSTA 2012): every program has its own random choice of features, so that rare
// combinations and the absence of a feature both occur. A program with fewer operators of the same seed and knobs
// is nearly a prefix of the longer one, which is how failures shrink.
#pragma once

#include <cstdint>

#include "engine/program.h"
#include "generators/split_mix.h"

namespace pothole {

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

Program random_program(SplitMix& random, const ProgramKnobs& knobs);
Program random_program(std::uint64_t seed, const ProgramKnobs& knobs);

// swarm_knobs and random_program of one seed.
Program random_program(std::uint64_t seed, std::int64_t operators);

}  // namespace pothole
