// One layer after the other, as all early work on checkpointing assumes.
#include "generators/network.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

Program make(const GeneratorValues& values, SplitMix& random) {
  Network network(values, random);
  const std::int64_t channels = values["channels"];
  const std::int64_t elements = values["batch"] * channels;
  Network::Value x = network.input(elements);
  for (std::int64_t i = 0; i < values["layers"]; ++i) {
    const Network::Value weights = network.parameter(channels * channels);
    x = network.layer("linear", {x, weights}, elements, elements * channels);
    if (values.on("activations")) x = network.pointwise("relu", x);
  }
  return training_step(network, {x}, values);
}

}  // namespace

Generator chain_generator() {
  return {"chain",
          "a linear chain of layers, with its backward pass",
          "Chen et al., Training deep nets with sublinear memory cost, 2016",
          {{"layers", 16, 1, 10000, 2, 12, "layers with a parameter each"},
           {"activations", 1, 0, 1, 0, 1, "1: each is followed by an activation"},
           kBatch,
           kChannels,
           kUnits,
           kBackward,
           kUpdate},
          make};
}

}  // namespace pothole
