// The canonical text of a program.
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "corpus/native_trace.h"

namespace pothole {
namespace {

std::string text(std::string_view name) {
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_names(std::ostream& out, const Program& program, std::span<const TensorId> tensors) {
  const char* separator = "";
  for (TensorId t : tensors) {
    out << separator << text(program.tensor_name(t));
    separator = ",";
  }
}

void write_output(std::ostream& out, const Program& program, const Operator& op, TensorId t) {
  const Tensor& tensor = program.tensors()[t];
  out << "{\"name\":" << text(program.tensor_name(t));
  if (!tensor.alias) {
    out << ",\"size\":" << tensor.size << '}';
    return;
  }
  // A program knows the storage that an alias joins; the first argument in it stands for it.
  for (TensorId argument : program.arguments(program.tensors()[op.first_output].op)) {
    if (program.tensors()[argument].storage != tensor.storage) continue;
    out << ",\"alias\":" << text(program.tensor_name(argument)) << '}';
    return;
  }
}

// Without its closing brace: gets and releases may follow.
void write_operator(std::ostream& out, const Program& program, OperatorId id) {
  const Operator& op = program.operators()[id];
  if (op.constant) {
    out << "{\"constant\":" << text(program.tensor_name(op.first_output)) << ",\"size\":" << op.total_size;
    return;
  }
  out << "{\"op\":" << text(program.operator_name(id)) << ",\"cost\":" << op.cost;
  if (op.argument_count > 0) {
    out << ",\"args\":[";
    write_names(out, program, program.arguments(id));
    out << ']';
  }
  out << ",\"out\":[";
  for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
    if (t > op.first_output) out << ',';
    write_output(out, program, op, t);
  }
  out << ']';
}

}  // namespace

void write_native_trace(std::ostream& out, const Trace& trace) {
  const Program& program = trace.program;
  out << "{\"format\":\"pothole-trace/1\",\"name\":" << text(trace.name) << ",\"operators\":[\n";
  bool in_steps = false;
  const auto close_operator = [&] {
    out << (in_steps ? "]}" : "}");
    in_steps = false;
  };
  for (const Command& command : program.commands()) {
    if (command.kind == Command::Kind::issue) {
      if (command.id > 0) {
        close_operator();
        out << ",\n";
      }
      write_operator(out, program, command.id);
      continue;
    }
    out << (in_steps ? "," : ",\"then\":[");
    in_steps = true;
    out << (command.kind == Command::Kind::get ? "{\"get\":" : "{\"release\":") << text(program.tensor_name(command.id))
        << '}';
  }
  if (!program.operators().empty()) {
    close_operator();
    out << '\n';
  }
  out << ']';
  if (!program.pins().empty()) {
    out << ",\"pins\":[";
    write_names(out, program, program.pins());
    out << ']';
  }
  out << "}\n";
}

}  // namespace pothole
