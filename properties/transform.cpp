// Every change is a copy through ProgramBuilder, which checks its limits, with something different on the way.
#include "properties/transform.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/program_builder.h"

namespace pothole {
namespace {

struct Change {
  std::int64_t size_factor = 1, cost_factor = 1;
  bool rename = false;
  std::optional<Bytes> padding = {};
  std::optional<OperatorId> unused_before = {};
};

class Copy {
 public:
  Copy(const Program& program, const Change& change) : program_(program), change_(change) {}

  // False where the builder refuses.
  bool make() {
    if (change_.padding) {
      add_tensor();
      refused_ = refused_ || builder_.add_constant(*change_.padding, "padding");
    }
    for (const Command& command : program_.commands()) copy(command);
    if (change_.unused_before && !added_) add_unused();
    for (const TensorId t : program_.pins()) refused_ = refused_ || builder_.pin(moved(t));
    return !refused_;
  }
  Program finish() { return builder_.finish(); }
  TensorId added() const { return *added_; }

 private:
  void copy(const Command& command) {
    if (command.kind == Command::Kind::get) refused_ = refused_ || builder_.get(moved(command.id));
    if (command.kind == Command::Kind::release) refused_ = refused_ || builder_.release(moved(command.id));
    if (command.kind != Command::Kind::issue) return;
    if (change_.unused_before == command.id) add_unused();
    copy_operator(command.id);
  }

  void add_unused() {
    add_tensor();
    refused_ = refused_ || builder_.add_operator("unused", 0, {}, {{0, ProgramBuilder::Output::kFresh, "unused"}}) ||
               builder_.release(*added_);
  }
  void add_tensor() { added_ = static_cast<TensorId>(builder_.tensor_count()); }
  TensorId moved(TensorId t) const { return t + (added_ && t >= *added_); }

  void copy_operator(OperatorId id) {
    const Operator& op = program_.operators()[id];
    const std::span<const TensorId> old_arguments = program_.arguments(id);
    std::vector<TensorId> arguments;
    for (const TensorId a : old_arguments) arguments.push_back(moved(a));
    std::vector<ProgramBuilder::Output> outputs;
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      const Tensor& tensor = program_.tensors()[t];
      ProgramBuilder::Output output;
      // Names that are made up are not kept: they count tensors.
      if (change_.rename) output.name = "other" + std::to_string(program_.tensors().size() - t);
      if (!change_.rename && !is_made_up(t)) output.name = program_.tensor_name(t);
      if (tensor.alias) {
        // The first argument in the storage stands for it.
        const auto joins = [&](TensorId a) { return program_.tensors()[a].storage == tensor.storage; };
        output.alias = std::find_if(old_arguments.begin(), old_arguments.end(), joins) - old_arguments.begin();
      } else if (!scaled(tensor.size, change_.size_factor, output.size)) {
        return;
      }
      outputs.push_back(std::move(output));
    }
    if (op.constant) {
      refused_ = refused_ || builder_.add_constant(outputs[0].size, outputs[0].name);
      return;
    }
    Cost cost = 0;
    if (!scaled(op.cost, change_.cost_factor, cost)) return;
    std::string name = change_.rename ? "other" : std::string(program_.operator_name(id));
    refused_ = refused_ || builder_.add_operator(std::move(name), cost, std::move(arguments), std::move(outputs));
  }

  bool is_made_up(TensorId t) const { return program_.tensor_name(t) == "t" + std::to_string(t); }

  bool scaled(std::int64_t value, std::int64_t factor, std::int64_t& result) {
    if (value > kLargestQuantity / factor) refused_ = true;
    result = refused_ ? 0 : value * factor;
    return !refused_;
  }

  const Program& program_;
  const Change& change_;
  ProgramBuilder builder_;
  std::optional<TensorId> added_;
  bool refused_ = false;
};

std::optional<Program> changed(const Program& program, const Change& change) {
  Copy copy(program, change);
  if (!copy.make()) return std::nullopt;
  return copy.finish();
}

std::optional<Extended> extended_by(const Program& program, const Change& change) {
  Copy copy(program, change);
  if (!copy.make()) return std::nullopt;
  const TensorId added = copy.added();
  return Extended{copy.finish(), added};
}

}  // namespace

std::optional<Program> with_sizes_times(const Program& program, std::int64_t factor) {
  return changed(program, {.size_factor = factor});
}

std::optional<Program> with_costs_times(const Program& program, std::int64_t factor) {
  return changed(program, {.cost_factor = factor});
}

std::optional<Program> renamed(const Program& program) { return changed(program, {.rename = true}); }

std::optional<Extended> with_padding(const Program& program, Bytes bytes) {
  return extended_by(program, {.padding = bytes});
}

std::optional<Extended> with_unused_tensor(const Program& program, OperatorId before) {
  return extended_by(program, {.unused_before = before});
}

std::vector<Decision> decisions_without(TensorId added, std::span<const Decision> decisions) {
  std::vector<Decision> without;
  for (const Decision& d : decisions)
    if (d.tensor != added) without.push_back({d.kind, d.tensor - (d.tensor > added)});
  return without;
}

}  // namespace pothole
