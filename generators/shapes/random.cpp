// Anything that a trace may hold, without any structure.
#include "generators/random_program.h"
#include "generators/registry.h"

namespace pothole {
namespace {

constexpr std::string_view kQuantities[] = {"tiny", "equal", "near-ties", "ordinary", "large"};

GeneratorParameter feature(std::string_view key, std::string_view help, std::int64_t standard = 1) {
  return {key, standard, 0, 1, 0, 1, help};
}

Program make(const GeneratorValues& values, SplitMix& random) {
  ProgramKnobs knobs;
  knobs.operators = values["operators"];
  knobs.arguments_max = values["arguments"];
  knobs.sizes = static_cast<Quantities>(values["sizes"]);
  knobs.costs = static_cast<Quantities>(values["costs"]);
  knobs.multiple_outputs = values.on("several-outputs");
  knobs.aliases = values.on("aliases");
  knobs.crossing_aliases = values.on("crossing-aliases");
  knobs.constants = values.on("constants");
  knobs.repeated_arguments = values.on("repeated-arguments");
  knobs.gets = values.on("gets");
  knobs.releases = values.on("releases");
  knobs.use_after_release = values.on("late-uses");
  knobs.mutations = values.on("mutations");
  knobs.pins = values.on("outputs");
  knobs.long_chains = values.on("chains");
  return random_program(random, knobs);
}

}  // namespace

Generator random_generator() {
  return {"random",
          "operators on any earlier tensors, with every instruction that a trace can hold",
          "",
          {{"operators", 12, 1, 100000, 4, 24, "operators, constants included"},
           {"arguments", 3, 1, 64, 1, 4, "most arguments of an operator"},
           {"sizes", 3, 0, 4, 0, 4, "of tensors: 0 to 3, all equal, multiples of one, 0 to 5000, 2^40 to 2^53",
            kQuantities},
           {"costs", 3, 0, 4, 0, 4, "of operators, likewise", kQuantities},
           feature("several-outputs", "operators with up to four outputs"),
           feature("aliases", "outputs in the storage of an argument"),
           feature("crossing-aliases", "aliasing operators with arguments in several storages"),
           feature("constants", "tensors that are never evicted"),
           feature("repeated-arguments", "the same tensor twice among the arguments of an operator"),
           feature("gets", "further references to a tensor"),
           feature("releases", "tensors are released in between"),
           feature("late-uses", "tensors without references are still used"),
           feature("mutations", "operators that write into an argument: a fresh output, and the argument is released"),
           feature("outputs", "what is not released at the end is an output of the trace"),
           feature("chains", "arguments are mostly recent tensors", 0)},
          make};
}

}  // namespace pothole
