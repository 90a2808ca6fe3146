// A recurrent network along a tree: every node takes the states of its two children.
#include "generators/network.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

using Value = Network::Value;

constexpr std::string_view kTrees[] = {"balanced", "random"};

struct State {
  Value hidden, cell;
};

class TreeLstm {
 public:
  TreeLstm(const GeneratorValues& values, SplitMix& random)
      : network_(values, random), values_(values), random_(random), width_(values["channels"]) {
    state_ = values["batch"] * width_;
  }

  Program make() {
    of_leaf_ = network_.parameter(width_ * width_);
    of_left_ = network_.parameter(5 * width_ * width_);
    of_right_ = network_.parameter(5 * width_ * width_);
    std::vector<State> states;
    for (std::int64_t i = 0; i < values_["leaves"]; ++i) states.push_back(leaf());
    while (states.size() > 1) states = values_["tree"] == 0 ? paired(states) : one_joined(std::move(states));
    return training_step(network_, {states[0].hidden}, values_);
  }

 private:
  State leaf() {
    const Value word = network_.input(state_);
    const Value cell = network_.product("mm", word, of_leaf_, state_, state_ * width_);
    return {network_.pointwise("tanh", cell), cell};
  }

  State node(const State& left, const State& right) {
    const std::int64_t elements = 5 * state_;
    const Value a = network_.product("mm", left.hidden, of_left_, elements, elements * width_);
    const Value b = network_.product("mm", right.hidden, of_right_, elements, elements * width_);
    const std::vector<Value> gates = network_.split(network_.sum(a, b), 5);
    const Value from_left = network_.hadamard(left.cell, network_.pointwise("sigmoid", gates[0]));
    const Value from_right = network_.hadamard(right.cell, network_.pointwise("sigmoid", gates[1]));
    const Value input = network_.pointwise("sigmoid", gates[2]);
    const Value fresh = network_.pointwise("tanh", gates[3]);
    const Value output = network_.pointwise("sigmoid", gates[4]);
    const Value added = network_.hadamard(fresh, input);
    const Value cell = network_.sum(network_.sum(from_left, from_right), added);
    const Value shown = network_.pointwise("tanh", cell);
    return {network_.hadamard(shown, output), cell};
  }

  // The next level of a balanced tree.
  std::vector<State> paired(const std::vector<State>& states) {
    std::vector<State> next;
    for (std::size_t i = 0; i + 1 < states.size(); i += 2) next.push_back(node(states[i], states[i + 1]));
    if (states.size() % 2 == 1) next.push_back(states.back());
    return next;
  }

  std::vector<State> one_joined(std::vector<State> states) {
    const std::size_t place = random_.index_below(states.size() - 1);
    states[place] = node(states[place], states[place + 1]);
    states.erase(states.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    return states;
  }

  Network network_;
  const GeneratorValues& values_;
  SplitMix& random_;
  std::int64_t width_, state_;
  Value of_leaf_ = 0, of_left_ = 0, of_right_ = 0;
};

Program make(const GeneratorValues& values, SplitMix& random) { return TreeLstm(values, random).make(); }

}  // namespace

Generator tree_lstm_generator() {
  return {"tree-lstm",
          "an LSTM along a binary tree, from the leaves to the root",
          "Tai et al., Improved semantic representations from tree-structured LSTMs, ACL 2015",
          {{"leaves", 4, 1, 2000, 1, 3, "of the tree"},
           {"tree", 0, 0, 1, 0, 1, "of least depth, or neighbours joined at random", kTrees},
           kBatch,
           kChannels,
           kUnits,
           kBackward,
           kUpdate},
          make};
}

}  // namespace pothole
