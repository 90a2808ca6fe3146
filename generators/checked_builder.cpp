#include "generators/checked_builder.h"

#include <stdexcept>

namespace pothole {
namespace {

void check(const std::optional<BuildError>& error) {
  if (error) throw std::logic_error("a generator made an invalid program: " + error->what);
}

}  // namespace

TensorId CheckedBuilder::issue(std::string name, Cost cost, std::vector<TensorId> arguments,
                               std::vector<Output> outputs) {
  limit_.count(arguments.size(), outputs.size());
  const auto first = static_cast<TensorId>(builder_.tensor_count());
  check(builder_.add_operator(std::move(name), cost, std::move(arguments), std::move(outputs)));
  return first;
}

TensorId CheckedBuilder::compute(std::string name, Cost cost, std::vector<TensorId> arguments, Bytes size) {
  return issue(std::move(name), cost, std::move(arguments), {{size, Output::kFresh, ""}});
}

TensorId CheckedBuilder::constant(Bytes size, std::string name) {
  limit_.count(0, 1);
  check(builder_.add_constant(size, std::move(name)));
  return static_cast<TensorId>(builder_.tensor_count() - 1);
}

void CheckedBuilder::release(TensorId tensor) { check(builder_.release(tensor)); }

void CheckedBuilder::pin_referenced() {
  for (TensorId t = 0; t < builder_.tensor_count(); ++t)
    if (builder_.references(t) > 0) check(builder_.pin(t));
}

}  // namespace pothole
