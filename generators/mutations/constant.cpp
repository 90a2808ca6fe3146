// Constants and operators.
#include "generators/mutation_registry.h"

namespace pothole {
namespace {

using Kind = Draft::Step::Kind;

bool apply(Draft& draft, const Draft&, SplitMix& random) {
  const std::optional<std::size_t> at = drawn(makers(draft), random);
  if (!at) return false;
  Draft::Step& step = draft.steps[*at];
  if (step.kind == Kind::constant) {
    step.kind = Kind::issue;
    step.cost = random.between(0, 8);
    return true;
  }
  if (step.outputs.size() != 1 || draft.tensors[step.outputs[0]].alias_of) return false;
  step.kind = Kind::constant;
  step.cost = 0;
  step.arguments.clear();
  return true;
}

}  // namespace

Mutation constant_mutation() { return {"constant", "makes a constant of an operator, or the other way round", apply}; }

}  // namespace pothole
