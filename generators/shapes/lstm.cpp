// A recurrent network, unrolled over its time steps: the same parameters at every step.
#include "generators/network.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

using Value = Network::Value;

struct Layer {
  Value of_input, of_state;  // parameters
  Value hidden, cell;        // of the step before
};

Value step(Network& network, Layer& layer, Value x, std::int64_t batch, std::int64_t width) {
  const std::int64_t elements = batch * 4 * width;
  const Value from_input = network.product("mm", x, layer.of_input, elements, elements * width);
  const Value from_state = network.product("mm", layer.hidden, layer.of_state, elements, elements * width);
  const std::vector<Value> gates = network.split(network.sum(from_input, from_state), 4);
  const Value input = network.pointwise("sigmoid", gates[0]);
  const Value forget = network.pointwise("sigmoid", gates[1]);
  const Value output = network.pointwise("sigmoid", gates[2]);
  const Value fresh = network.pointwise("tanh", gates[3]);
  const Value kept = network.hadamard(layer.cell, forget);
  const Value added = network.hadamard(fresh, input);
  layer.cell = network.sum(kept, added);
  const Value shown = network.pointwise("tanh", layer.cell);
  layer.hidden = network.hadamard(shown, output);
  return layer.hidden;
}

Program make(const GeneratorValues& values, SplitMix& random) {
  Network network(values, random);
  const std::int64_t batch = values["batch"], width = values["channels"];
  std::vector<Layer> layers;
  for (std::int64_t i = 0; i < values["layers"]; ++i) {
    Layer layer = {};
    layer.of_input = network.parameter(4 * width * width);
    layer.of_state = network.parameter(4 * width * width);
    layer.hidden = network.input(batch * width);
    layer.cell = network.input(batch * width);
    layers.push_back(layer);
  }
  Value x = 0;
  for (std::int64_t t = 0; t < values["steps"]; ++t) {
    x = network.input(batch * width);
    for (Layer& layer : layers) x = step(network, layer, x, batch, width);
  }
  return training_step(network, {x}, values);
}

std::int64_t operators(const GeneratorValues& values) {
  const std::int64_t steps = values["steps"], layers = values["layers"], cells = steps * layers;
  constexpr std::int64_t kOfCell = 13;
  const std::int64_t forward = 4 * layers + steps + kOfCell * cells;
  // By the states before, by the input of the layer, and by all else.
  const std::int64_t products = 2 * (2 * cells - layers) + (2 * cells - steps) + (1 + 5 + 4) * cells;
  // Of parameters, of cells, and of the hidden states that the layer above takes too.
  const std::int64_t sums = (steps - 1) * (2 * layers + layers + layers - 1);
  return training_operators(forward, 2 * layers, products + sums, values);
}

}  // namespace

Generator lstm_generator() {
  return {"lstm",
          "an LSTM, unrolled over its time steps, with gates that are views",
          "Hochreiter, Schmidhuber, Long short-term memory, 1997",
          {{"steps", 6, 1, 2000, 1, 2, "that it is unrolled over"},
           {"layers", 1, 1, 64, 1, 1, "each taking what the one below puts out"},
           kBatch,
           kChannels,
           kUnits,
           kBackward,
           kUpdate},
          make,
          operators};
}

}  // namespace pothole
