// A random graph of layers, from nearly a bundle of chains to everything taking everything.
#include <algorithm>

#include "generators/network.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

using Value = Network::Value;

// Arguments from the layers in reach, each with the chance `density`; at least one of the layer just before.
std::vector<Value> arguments_from(const std::vector<std::vector<Value>>& layers, const GeneratorValues& values,
                                  SplitMix& random) {
  const auto reach = std::min<std::size_t>(layers.size(), static_cast<std::size_t>(values["reach"]));
  std::vector<Value> arguments = {random.pick<Value>(layers.back())};
  const Value sure = arguments[0];
  for (std::size_t back = 1; back <= reach; ++back)
    for (Value value : layers[layers.size() - back])
      if (value != sure && random.chance(static_cast<int>(values["density"]))) arguments.push_back(value);
  return arguments;
}

Program make(const GeneratorValues& values, SplitMix& random) {
  Network network(values, random);
  const std::int64_t elements = values["batch"] * values["channels"];
  std::vector<std::vector<Value>> layers(1);
  for (std::int64_t i = 0; i < values["width"]; ++i) layers[0].push_back(network.input(elements));
  for (std::int64_t l = 0; l < values["layers"]; ++l) {
    std::vector<Value> made;
    for (std::int64_t i = 0; i < values["width"]; ++i) {
      std::vector<Value> arguments = arguments_from(layers, values, random);
      const auto count = static_cast<std::int64_t>(arguments.size());
      // One of each layer at least, so that there is something to train.
      if (i == 0 || random.chance(50)) arguments.push_back(network.parameter(values["channels"] * values["channels"]));
      made.push_back(network.layer("mix", std::move(arguments), elements, elements * values["channels"] * count));
    }
    layers.push_back(std::move(made));
  }
  return training_step(network, layers.back(), values);
}

}  // namespace

Generator layered_dag_generator() {
  return {"layered-dag",
          "a random graph in layers, sparse or dense",
          "",
          {{"layers", 6, 1, 500, 1, 5, "after the inputs"},
           {"width", 4, 1, 64, 1, 4, "operators of a layer"},
           {"density", 30, 0, 100, 0, 100, "chance in percent that an operator takes another one in reach"},
           {"reach", 2, 1, 64, 1, 3, "how many layers back arguments come from"},
           kBatch,
           kChannels,
           kUnits,
           kBackward,
           kUpdate},
          make};
}

}  // namespace pothole
