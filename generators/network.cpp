#include "generators/network.h"

#include <algorithm>
#include <numeric>

#include "generators/checked_builder.h"

namespace pothole {

using Value = Network::Value;
using Way = GradientRule::Way;

Value Network::issue(std::string name, Cost cost, std::vector<Value> arguments, const std::vector<Output>& outputs,
                     GradientRule rule) {
  limit_.count(arguments.size(), outputs.size());
  const auto first = static_cast<Value>(values_.size());
  const auto op = static_cast<std::uint32_t>(operators_.size());
  for (const Output& output : outputs) values_.push_back({op, output.size, output.elements, output.alias});
  const auto count = static_cast<std::uint32_t>(outputs.size());
  operators_.push_back({std::move(name), cost, std::move(arguments), first, count, std::move(rule)});
  return first;
}

Value Network::constant(std::string name, Bytes size, std::int64_t elements) {
  const Value value = issue(std::move(name), 0, {}, {{size, elements}}, {});
  operators_.back().constant = true;
  keep(value);
  return value;
}

Value Network::input(std::int64_t elements) { return constant("input", units_.size(elements), elements); }

Value Network::parameter(std::int64_t elements) {
  const Value value = constant("parameter", units_.parameter_size(elements), elements);
  parameters_.push_back(value);
  return value;
}

Value Network::layer(std::string name, std::vector<Value> arguments, std::int64_t elements, std::int64_t work) {
  const Bytes bytes = units_.size(elements);
  const Cost cost = units_.cost(work);
  return issue(std::move(name), cost, std::move(arguments), {{bytes, elements}}, {Way::joint, true});
}

Value Network::product(std::string name, Value a, Value b, std::int64_t elements, std::int64_t work) {
  const Bytes bytes = units_.size(elements);
  const Cost cost = units_.cost(work);
  return issue(std::move(name), cost, {a, b}, {{bytes, elements}}, {Way::apart, true});
}

Value Network::pointwise(std::string name, Value x) {
  return issue(std::move(name), units_.cost(elements(x)), {x}, {{size(x), elements(x)}}, {Way::joint, false, {0}});
}

Value Network::hadamard(Value a, Value b) {
  return issue("mul", units_.cost(elements(a)), {a, b}, {{size(a), elements(a)}}, {Way::apart, true});
}

Value Network::sum(Value a, Value b) {
  return issue("add", units_.cost(elements(a)), {a, b}, {{size(a), elements(a)}}, {Way::pass});
}

Value Network::normalized(Value x, std::int64_t channels) {
  const Value scale = parameter(channels);
  const Value shift = parameter(channels);
  const Bytes mean = units_.size(channels);
  const Bytes deviation = units_.size(channels);
  return issue("norm", units_.cost(2 * elements(x)), {x, scale, shift},
               {{size(x), elements(x)}, {mean, channels}, {deviation, channels}}, {Way::joint, true, {1, 2}});
}

Value Network::view(std::string name, Value x) {
  return issue(std::move(name), units_.cost(1), {x}, {{size(x), elements(x), 0}}, {Way::view});
}

Value Network::concat(std::vector<Value> values) {
  Output all;
  for (Value value : values) {
    all.size += size(value);
    all.elements += elements(value);
  }
  return issue("cat", units_.cost(all.elements), std::move(values), {all}, {Way::joint});
}

std::vector<Value> Network::split(Value x, std::int64_t parts, bool views) {
  std::vector<Output> outputs;
  const auto share = [&](std::int64_t whole, std::int64_t i) { return whole / parts + (i < whole % parts ? 1 : 0); };
  for (std::int64_t i = 0; i < parts; ++i)
    outputs.push_back({share(size(x), i), share(elements(x), i), views ? 0 : Output::kFresh});
  const Value first =
      issue(views ? "chunk" : "split", units_.cost(views ? 1 : elements(x)), {x}, outputs, {Way::joint});
  std::vector<Value> all(static_cast<std::size_t>(parts));
  std::iota(all.begin(), all.end(), first);
  return all;
}

Value Network::loss(std::vector<Value> of) {
  std::int64_t work = 0;
  for (Value value : of) work += elements(value);
  return layer("loss", std::move(of), 1, work);
}

Value Network::updated(Value parameter, Value gradient) {
  values_[parameter].kept = false;
  const Value fresh = issue("add_", units_.cost(elements(parameter)), {parameter, gradient},
                            {{size(parameter), elements(parameter)}}, {});
  keep(fresh);
  return fresh;
}

Program Network::program() const {
  constexpr std::uint32_t kUnused = kNone;
  std::vector<std::uint32_t> last_use(values_.size(), kUnused);
  for (std::uint32_t op = 0; op < operators_.size(); ++op)
    for (Value argument : operators_[op].arguments) last_use[argument] = op;

  CheckedBuilder builder;
  const auto release = [&](Value value) {
    if (!values_[value].kept && !values_[value].held && builder.references(value) > 0) builder.release(value);
  };
  for (std::uint32_t i = 0; i < operators_.size(); ++i) {
    const Operator& op = operators_[i];
    if (op.constant) {
      builder.constant(values_[op.first].size, "");
    } else {
      std::vector<CheckedBuilder::Output> outputs;
      for (Value v = op.first; v < op.first + op.count; ++v) outputs.push_back({values_[v].size, values_[v].alias, ""});
      builder.issue(op.name, op.cost, op.arguments, std::move(outputs));
    }
    for (Value v = op.first; v < op.first + op.count; ++v)
      if (last_use[v] == kUnused) release(v);
    for (Value argument : op.arguments)
      if (last_use[argument] == i) release(argument);
  }
  for (Value v = 0; v < values_.size(); ++v)
    if (values_[v].held && !values_[v].kept) builder.release(v);
  builder.pin_referenced();
  return builder.finish();
}

Program training_step(Network& network, std::vector<Value> outputs, const GeneratorValues& values) {
  if (!values.on("backward")) {
    for (Value output : outputs) network.keep(output);
    return network.program();
  }
  const Value loss = network.loss(std::move(outputs));
  network.hold(loss);
  const std::vector<Value> parameters = network.parameters();
  const std::vector<Value> gradients = network.gradients(loss, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (gradients[i] == kNone) continue;
    if (values.on("update")) {
      network.updated(parameters[i], gradients[i]);
    } else {
      network.keep(gradients[i]);
    }
  }
  return network.program();
}

std::int64_t training_operators(std::int64_t forward, std::int64_t parameters, std::int64_t gradients,
                                const GeneratorValues& values) {
  constexpr std::int64_t kOfLoss = 3;  // it, its own gradient, and its backward operator
  if (!values.on("backward")) return forward;
  return forward + kOfLoss + gradients + (values.on("update") ? parameters : 0);
}

}  // namespace pothole
