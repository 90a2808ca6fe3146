#include "tests/support/subjects.h"

#include <stdexcept>

#include "corpus/trace.h"
#include "engine/program_builder.h"

namespace pothole {

RunSettings settings_with(const std::string& policy, Dealloc dealloc) {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy(policy, error);
  if (settings.policy.policy == nullptr) throw std::logic_error(error.what);
  settings.dealloc = dealloc;
  return settings;
}

Program plain_program(const std::vector<PlainOperator>& operators, const std::vector<TensorId>& pins) {
  ProgramBuilder builder;
  const auto check = [](const std::optional<BuildError>& error) {
    if (error) throw std::logic_error(error->what);
  };
  for (const PlainOperator& op : operators) {
    check(builder.add_operator("", op.cost, op.arguments, {{op.size, ProgramBuilder::Output::kFresh, ""}}));
    for (TensorId t : op.released) check(builder.release(t));
  }
  for (TensorId t : pins) check(builder.pin(t));
  return builder.finish();
}

const Program& five_operators() {
  static const Program program = read_trace(POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log").program;
  return program;
}

CheckPlan whole_plan(const Program& program) {
  CheckPlan plan;
  plan.range = {1, peak_of(program) + 2};
  return plan;
}

Verdict verdict_on(const Program& program, const RunSettings& settings, const std::string& property, CheckPlan plan) {
  const Property* found = find_property(property);
  if (found == nullptr) throw std::logic_error("no property " + property);
  return check_property(*found, Subject(program, settings, std::move(plan)));
}

Verdict verdict_on(const Program& program, const RunSettings& settings, const std::string& property) {
  return verdict_on(program, settings, property, whole_plan(program));
}

std::string shown(const Verdict& verdict) {
  if (!verdict.violation) return std::string(name_of(verdict.ruling));
  const Violation& v = *verdict.violation;
  std::string text(v.signature.kind);
  if (v.signature.place) text += " at " + std::to_string(*v.signature.place);
  text += ", budgets";
  for (Bytes budget : v.budgets) text += " " + std::to_string(budget);
  if (!v.storages.empty()) text += ", storages";
  for (TensorId t : v.storages) text += " " + std::to_string(t);
  return text;
}

}  // namespace pothole
