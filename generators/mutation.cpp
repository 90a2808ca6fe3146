#include "generators/mutation.h"

#include <algorithm>
#include <unordered_map>

#include "generators/mutation_registry.h"

namespace pothole {

std::span<const Mutation> mutations() {
  static const std::vector<Mutation> all = {
#define POTHOLE_MUTATION(name) name##_mutation(),
#include "generators/mutations.def"
#undef POTHOLE_MUTATION
  };
  return all;
}

std::optional<Program> mutated(const Program& program, const Program& other, SplitMix& random, int edits) {
  Draft draft = draft_of(program);
  const Draft pieces = draft_of(other);
  bool changed = false;
  for (int i = 0; i < edits; ++i) changed |= random.pick(mutations()).apply(draft, pieces, random);
  if (!changed) return std::nullopt;
  mend(draft);
  std::optional<Program> made = program_of(draft);
  return made && made->operators().empty() ? std::nullopt : made;
}

std::optional<std::size_t> drawn(const std::vector<std::size_t>& from, SplitMix& random) {
  if (from.empty()) return std::nullopt;
  return from[random.index_below(from.size())];
}

std::vector<TensorId> made_before(const Draft& draft, std::size_t step) {
  std::vector<TensorId> made;
  for (std::size_t i = 0; i < step; ++i)
    made.insert(made.end(), draft.steps[i].outputs.begin(), draft.steps[i].outputs.end());
  return made;
}

namespace {

TensorId root_of(const Draft& draft, TensorId t) {
  while (draft.tensors[t].alias_of) t = *draft.tensors[t].alias_of;
  return t;
}

}  // namespace

void insert_copy(Draft& draft, std::size_t at, const Draft& from, std::size_t begin, std::size_t end,
                 SplitMix& random) {
  const std::vector<TensorId> around = made_before(draft, at);
  std::unordered_map<TensorId, TensorId> copy_of;
  const auto copied = [&](TensorId t) -> std::optional<TensorId> {
    if (const auto found = copy_of.find(t); found != copy_of.end()) return found->second;
    if (around.empty()) return std::nullopt;
    return around[random.index_below(around.size())];
  };
  std::vector<Draft::Step> steps;
  for (std::size_t i = begin; i < end; ++i) {
    Draft::Step step = from.steps[i];
    if (!step.makes()) {
      const auto found = copy_of.find(step.tensor);
      if (found == copy_of.end()) continue;
      step.tensor = found->second;
      steps.push_back(std::move(step));
      continue;
    }
    std::unordered_map<TensorId, TensorId> argument_of;  // an alias goes where its argument goes
    std::vector<TensorId> arguments;
    for (const TensorId a : step.arguments) {
      const std::optional<TensorId> to = copied(a);
      if (!to) continue;
      arguments.push_back(*to);
      argument_of.emplace(a, *to);
    }
    step.arguments = std::move(arguments);
    for (TensorId& t : step.outputs) {
      Draft::Tensor tensor = from.tensors[t];
      tensor.name.clear();
      if (tensor.alias_of) {
        const auto found = argument_of.find(*tensor.alias_of);
        // Without the argument it becomes a storage of its own, of the size of the one it was in.
        if (found == argument_of.end()) tensor.size = from.tensors[root_of(from, t)].size;
        tensor.alias_of = found == argument_of.end() ? std::nullopt : std::optional(found->second);
      }
      const auto made = static_cast<TensorId>(draft.tensors.size());
      copy_of[t] = made;
      draft.tensors.push_back(std::move(tensor));
      t = made;
    }
    steps.push_back(std::move(step));
  }
  draft.steps.insert(draft.steps.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(steps.begin()),
                     std::make_move_iterator(steps.end()));
}

}  // namespace pothole
