#include "tests/support/any_program.h"

#include <rapidcheck.h>

#include <ostream>
#include <sstream>

namespace pothole {

rc::Gen<ProgramSeed> any_program_seed(std::int64_t operators_max) {
  return rc::gen::build<ProgramSeed>(
      rc::gen::set(&ProgramSeed::seed,
                   rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()))),
      rc::gen::set(&ProgramSeed::operators, rc::gen::inRange<std::int64_t>(1, operators_max + 1)));
}

rc::Gen<Program> any_program(std::int64_t operators_max) {
  return rc::gen::map(any_program_seed(operators_max), [](const ProgramSeed& seed) { return seed.program(); });
}

std::string listing(const Program& program) {
  std::ostringstream out;
  for (const Command& command : program.commands()) {
    if (command.kind != Command::Kind::issue) {
      out << (command.kind == Command::Kind::get ? "get t" : "release t") << command.id << "\n";
      continue;
    }
    const Operator& op = program.operators()[command.id];
    out << (op.constant ? "constant" : "operator") << " cost " << op.cost << ":";
    for (TensorId a : program.arguments(command.id)) out << " t" << a;
    out << " ->";
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      const Tensor& tensor = program.tensors()[t];
      out << " t" << t;
      if (tensor.alias) {
        out << " in the storage of t" << program.storages()[tensor.storage].root;
      } else {
        out << " (" << tensor.size << " bytes)";
      }
    }
    out << "\n";
  }
  out << "pins:";
  for (TensorId t : program.pins()) out << " t" << t;
  out << "\n";
  return out.str();
}

void showValue(const ProgramSeed& seed, std::ostream& out) {
  out << "random_program(" << seed.seed << "u, " << seed.operators << "):\n" << listing(seed.program());
}

void showValue(const Program& program, std::ostream& out) { out << listing(program); }

Program long_program(std::uint64_t seed, std::int64_t operators) {
  ProgramKnobs knobs;
  knobs.operators = operators;
  knobs.crossing_aliases = false;
  knobs.long_chains = true;
  knobs.costs = Quantities::ordinary;
  return random_program(seed, knobs);
}

}  // namespace pothole
