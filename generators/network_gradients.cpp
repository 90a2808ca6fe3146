// The backward pass: operators in reverse order, each handing the incoming gradients on by its rule.
#include <algorithm>

#include "generators/network.h"

namespace pothole {

using Value = Network::Value;
using Way = GradientRule::Way;

class GradientPass {
 public:
  GradientPass(Network& network, Value loss, std::span<const Value> by)
      : net_(network), last_(network.values_[loss].op), gradient_(network.values_.size(), kNone) {
    needed_.assign(gradient_.size(), false);
    for (Value value : by) needed_[value] = true;
    for (std::uint32_t i = 0; i <= last_; ++i) {
      const Network::Operator& op = net_.operators_[i];
      const auto needed = [&](Value argument) { return needed_[argument]; };
      if (op.rule.way == Way::none || std::none_of(op.arguments.begin(), op.arguments.end(), needed)) continue;
      for (Value v = op.first; v < op.first + op.count; ++v) needed_[v] = true;
    }
    if (needed_[loss]) start(loss);
  }

  std::vector<Value> of(std::span<const Value> by) const {
    std::vector<Value> found;
    for (Value value : by) found.push_back(gradient_[value]);
    return found;
  }

 private:
  void start(Value loss) {
    const Cost cost = net_.units_.cost(1);
    gradient_[loss] = net_.issue("ones_like", cost, {loss}, {{net_.size(loss), net_.elements(loss)}}, {});
    for (std::uint32_t i = last_ + 1; i-- > 0;) {
      if (!reached(net_.operators_[i])) continue;
      const Network::Operator op = net_.operators_[i];  // a copy: more are issued
      hand_on(op);
    }
  }

  bool reached(const Network::Operator& op) const {
    const auto first = gradient_.begin() + op.first;
    return op.rule.way != Way::none && std::any_of(first, first + op.count, [](Value g) { return g != kNone; });
  }

  void hand_on(const Network::Operator& op) {
    std::vector<Value> incoming;
    for (Value v = op.first; v < op.first + op.count; ++v)
      if (gradient_[v] != kNone) incoming.push_back(gradient_[v]);
    std::vector<std::size_t> places;  // of the arguments that need a gradient
    for (std::size_t i = 0; i < op.arguments.size(); ++i)
      if (needed_[op.arguments[i]]) places.push_back(i);
    if (places.empty()) return;
    if (op.rule.way == Way::joint) return hand_on_jointly(op, incoming, places);
    for (std::size_t place : places) {
      const Value argument = op.arguments[place];
      if (op.rule.way == Way::pass) {
        add(argument, incoming[0]);
      } else if (op.rule.way == Way::view) {
        const Cost cost = net_.units_.cost(1);
        const Network::Output out = {net_.size(argument), net_.elements(argument), 0};
        add(argument, net_.issue(op.name + "_backward", cost, {incoming[0]}, {out}, {Way::view}));
      } else {
        hand_on_apart(op, incoming, place);
      }
    }
  }

  void hand_on_jointly(const Network::Operator& op, std::vector<Value> taken, const std::vector<std::size_t>& places) {
    const GradientRule rule = {Way::joint, op.rule.saves_arguments || !op.rule.saved_outputs.empty()};
    if (op.rule.saves_arguments) taken.insert(taken.end(), op.arguments.begin(), op.arguments.end());
    take_saved_outputs(op, taken);
    std::vector<Network::Output> outputs;
    outputs.reserve(places.size());
    for (std::size_t place : places)
      outputs.push_back({net_.size(op.arguments[place]), net_.elements(op.arguments[place])});
    const Cost cost = op.cost * static_cast<Cost>(places.size());
    const Value first = net_.issue(op.name + "_backward", cost, std::move(taken), outputs, rule);
    for (std::size_t i = 0; i < places.size(); ++i) add(op.arguments[places[i]], first + static_cast<Value>(i));
  }

  void hand_on_apart(const Network::Operator& op, std::vector<Value> taken, std::size_t place) {
    const Value argument = op.arguments[place];
    if (op.rule.saves_arguments)
      for (std::size_t i = 0; i < op.arguments.size(); ++i)
        if (i != place) taken.push_back(op.arguments[i]);
    take_saved_outputs(op, taken);
    const Network::Output out = {net_.size(argument), net_.elements(argument)};
    add(argument, net_.issue(op.name + "_backward", op.cost, std::move(taken), {out}, {Way::apart, true}));
  }

  static void take_saved_outputs(const Network::Operator& op, std::vector<Value>& taken) {
    for (std::uint32_t saved : op.rule.saved_outputs) taken.push_back(op.first + saved);
  }

  void add(Value to, Value part) { gradient_[to] = gradient_[to] == kNone ? part : net_.sum(gradient_[to], part); }

  Network& net_;
  std::uint32_t last_;
  std::vector<Value> gradient_;  // by value, of those that were there before
  std::vector<bool> needed_;
};

std::vector<Value> Network::gradients(Value loss, std::span<const Value> by) {
  return GradientPass(*this, loss, by).of(by);
}

}  // namespace pothole
