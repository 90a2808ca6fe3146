#include "engine/draft.h"

#include <algorithm>

namespace pothole {
namespace {

using Step = Draft::Step;

class Assembly {
 public:
  explicit Assembly(const Draft& draft) : draft_(draft), made_(draft.tensors.size()) {}

  std::optional<BuildError> add(const Step& step) {
    switch (step.kind) {
      case Step::Kind::issue:
        return add_operator(step);
      case Step::Kind::constant:
        return add_constant(step);
      case Step::Kind::get:
        if (!made(step.tensor)) return not_made(step.tensor);
        return builder_.get(*made_[step.tensor]);
      case Step::Kind::release:
        if (!made(step.tensor)) return not_made(step.tensor);
        return builder_.release(*made_[step.tensor]);
    }
    return std::nullopt;
  }

  std::optional<BuildError> pin(TensorId t) { return made(t) ? builder_.pin(*made_[t]) : not_made(t); }

  Program finish() { return builder_.finish(); }

 private:
  bool made(TensorId t) const { return t < made_.size() && made_[t]; }
  static BuildError not_made(TensorId t) { return {"nothing has made tensor " + std::to_string(t)}; }

  std::optional<BuildError> make(const std::vector<TensorId>& outputs) {
    for (const TensorId t : outputs) {
      if (t >= made_.size() || made_[t]) return BuildError{"tensor " + std::to_string(t) + " is not a new one"};
      made_[t] = first_++;
    }
    return std::nullopt;
  }

  std::optional<BuildError> add_operator(const Step& step) {
    std::vector<TensorId> arguments;
    for (const TensorId a : step.arguments) {
      if (!made(a)) return not_made(a);
      arguments.push_back(*made_[a]);
    }
    std::vector<ProgramBuilder::Output> outputs;
    for (const TensorId t : step.outputs) {
      if (t >= made_.size()) return BuildError{"tensor " + std::to_string(t) + " is not in the draft"};
      const Draft::Tensor& tensor = draft_.tensors[t];
      ProgramBuilder::Output output{tensor.size, ProgramBuilder::Output::kFresh, tensor.name};
      if (tensor.alias_of) {
        const auto at = std::find(step.arguments.begin(), step.arguments.end(), *tensor.alias_of);
        if (at == step.arguments.end()) return BuildError{"an alias of a tensor that is not an argument"};
        output.alias = at - step.arguments.begin();
      }
      outputs.push_back(std::move(output));
    }
    if (auto error = builder_.add_operator(step.name, step.cost, std::move(arguments), std::move(outputs)))
      return error;
    return make(step.outputs);
  }

  std::optional<BuildError> add_constant(const Step& step) {
    if (step.outputs.size() != 1 || step.outputs[0] >= made_.size()) return BuildError{"a constant has one output"};
    const Draft::Tensor& tensor = draft_.tensors[step.outputs[0]];
    if (auto error = builder_.add_constant(tensor.size, tensor.name)) return error;
    return make(step.outputs);
  }

  const Draft& draft_;
  ProgramBuilder builder_;
  std::vector<std::optional<TensorId>> made_;  // by tensor of the draft, its number in the program
  TensorId first_ = 0;
};

// What mend() knows of the tensors at a place of the draft.
class Mender {
 public:
  explicit Mender(Draft& draft)
      : draft_(draft),
        made_(draft.tensors.size()),
        references_(draft.tensors.size()),
        storage_(draft.tensors.size()),
        storage_references_(draft.tensors.size()) {}

  void mend() {
    for (TensorId t = 0; t < storage_.size(); ++t) storage_[t] = t;
    sizes_before();
    std::erase_if(draft_.steps, [&](Step& step) { return !mend(step); });
    std::erase_if(draft_.pins, [&](TensorId t) { return !is_made(t); });
  }

 private:
  bool is_made(TensorId t) const { return t < made_.size() && made_[t]; }

  // Of the storages as they were before the edit, where the draft still says so: an alias that becomes a storage of
  // its own has the size of the one it was in. Every tensor is passed once, however long the chains of aliases are.
  void sizes_before() {
    std::vector<bool> known(draft_.tensors.size());
    std::vector<TensorId> chain;
    for (TensorId t = 0; t < draft_.tensors.size(); ++t) {
      TensorId at = t;
      while (!known[at]) {
        known[at] = true;
        const std::optional<TensorId> of = draft_.tensors[at].alias_of;
        if (!of || *of >= draft_.tensors.size()) break;
        chain.push_back(at);
        at = *of;
      }
      for (; !chain.empty(); chain.pop_back()) draft_.tensors[chain.back()].size = draft_.tensors[at].size;
    }
  }

  bool mend(Step& step) {
    switch (step.kind) {
      case Step::Kind::get:
        if (!is_made(step.tensor) || storage_references_[storage_[step.tensor]] == 0) return false;
        refer(step.tensor, 1);
        return true;
      case Step::Kind::release:
        if (!is_made(step.tensor) || references_[step.tensor] == 0) return false;
        refer(step.tensor, -1);
        return true;
      case Step::Kind::issue:
        std::erase_if(step.arguments, [&](TensorId a) { return !is_made(a); });
        break;
      case Step::Kind::constant:
        step.arguments.clear();
        if (step.outputs.size() > 1) step.outputs.resize(1);
        break;
    }
    std::erase_if(step.outputs, [&](TensorId t) { return is_made(t) || !make(t, step); });
    return !step.outputs.empty();
  }

  // False if there is no such tensor.
  bool make(TensorId t, const Step& step) {
    if (t >= made_.size()) return false;
    Draft::Tensor& tensor = draft_.tensors[t];
    const bool joins = tensor.alias_of && std::find(step.arguments.begin(), step.arguments.end(), *tensor.alias_of) !=
                                              step.arguments.end();
    if (joins)
      storage_[t] = storage_[*tensor.alias_of];
    else
      tensor.alias_of.reset();
    made_[t] = true;
    refer(t, 1);
    return true;
  }

  void refer(TensorId t, std::int64_t change) {
    references_[t] += change;
    storage_references_[storage_[t]] += change;
  }

  Draft& draft_;
  std::vector<bool> made_;
  std::vector<std::int64_t> references_;
  std::vector<TensorId> storage_;                 // by tensor, its root
  std::vector<std::int64_t> storage_references_;  // by root
};

}  // namespace

Draft draft_of(const Program& program) {
  Draft draft;
  const auto is_made_up = [&](TensorId t) { return program.tensor_name(t) == "t" + std::to_string(t); };
  for (TensorId t = 0; t < program.tensors().size(); ++t) {
    Draft::Tensor& tensor = draft.tensors.emplace_back();
    tensor.size = program.tensors()[t].size;
    if (!is_made_up(t)) tensor.name = program.tensor_name(t);
  }
  for (const Command& command : program.commands()) {
    Step& step = draft.steps.emplace_back();
    if (command.kind != Command::Kind::issue) {
      step.kind = command.kind == Command::Kind::get ? Step::Kind::get : Step::Kind::release;
      step.tensor = command.id;
      continue;
    }
    const Operator& op = program.operators()[command.id];
    step.kind = op.constant ? Step::Kind::constant : Step::Kind::issue;
    step.cost = op.cost;
    step.name = program.operator_name(command.id);
    const std::span<const TensorId> arguments = program.arguments(command.id);
    step.arguments.assign(arguments.begin(), arguments.end());
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      step.outputs.push_back(t);
      if (!program.tensors()[t].alias) continue;
      // The first argument in the storage stands for it.
      const auto joins = [&](TensorId a) { return program.tensors()[a].storage == program.tensors()[t].storage; };
      draft.tensors[t].alias_of = *std::find_if(arguments.begin(), arguments.end(), joins);
    }
  }
  draft.pins = program.pins();
  return draft;
}

std::optional<Program> program_of(const Draft& draft, BuildError* error) {
  Assembly assembly(draft);
  std::optional<BuildError> wrong;
  for (const Step& step : draft.steps)
    if (!wrong) wrong = assembly.add(step);
  for (const TensorId t : draft.pins)
    if (!wrong) wrong = assembly.pin(t);
  if (!wrong) return assembly.finish();
  if (error != nullptr) *error = *wrong;
  return std::nullopt;
}

Program canonical(const Program& program) {
  Draft draft = draft_of(program);
  for (Draft::Tensor& tensor : draft.tensors) tensor.name.clear();
  for (Step& step : draft.steps)
    if (step.kind == Step::Kind::issue) step.name = "op";
  return *program_of(draft);
}

void mend(Draft& draft) { Mender(draft).mend(); }

std::vector<std::size_t> makers(const Draft& draft) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < draft.steps.size(); ++i)
    if (draft.steps[i].makes()) steps.push_back(i);
  return steps;
}

std::vector<std::size_t> steps_of_kind(const Draft& draft, Draft::Step::Kind kind) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < draft.steps.size(); ++i)
    if (draft.steps[i].kind == kind) steps.push_back(i);
  return steps;
}

}  // namespace pothole
