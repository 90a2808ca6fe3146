#include "cli/program_text.h"

#include <fmt/format.h>

#include "cli/table.h"

namespace pothole {
namespace {

std::string& append(std::string& list, const std::string& item) { return list += (list.empty() ? "" : ", ") + item; }

template <class Ids>
std::string names_of(const Program& program, const Ids& tensors) {
  std::string names;
  for (const TensorId t : tensors) append(names, std::string(program.tensor_name(t)));
  return names;
}

// A view has no size: it is in the storage of another tensor.
std::string size_text(const Program& program, TensorId t) {
  const Tensor& tensor = program.tensors()[t];
  if (!tensor.alias) return std::to_string(tensor.size);
  return fmt::format("view of {}", program.tensor_name(program.storages()[tensor.storage].root));
}

// The gets and releases between an operator and the next one.
std::string then_text(const Program& program, std::size_t issue) {
  std::string text;
  for (std::size_t i = issue + 1; i < program.commands().size(); ++i) {
    const Command& command = program.commands()[i];
    if (command.kind == Command::Kind::issue) break;
    append(text, fmt::format("{} {}", command.kind == Command::Kind::get ? "get" : "release",
                             program.tensor_name(command.id)));
  }
  return text;
}

}  // namespace

std::string program_text(const Program& program) {
  Table table({{"tensor"}, {"cost", true}, {"size", true}, {"from"}, {"then"}});
  for (std::size_t i = 0; i < program.commands().size(); ++i) {
    if (program.commands()[i].kind != Command::Kind::issue) continue;
    const OperatorId id = program.commands()[i].id;
    const Operator& op = program.operators()[id];
    std::string outputs, sizes;
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      append(outputs, std::string(program.tensor_name(t)));
      append(sizes, size_text(program, t));
    }
    table.add_row({outputs, op.constant ? "constant" : std::to_string(op.cost), sizes,
                   names_of(program, program.arguments(id)), then_text(program, i)});
  }
  std::string text;
  for (const std::string& line : table.lines("  ")) text += line + "\n";
  if (!program.pins().empty()) text += "  outputs: " + names_of(program, program.pins()) + "\n";
  return text;
}

}  // namespace pothole
