// Blocks whose input is added to their output.
#include <algorithm>

#include "generators/images.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

Image block(Network& network, const Image& input, const GeneratorValues& values) {
  Image inner = input;
  for (std::int64_t i = 0; i < values["depth"]; ++i) {
    if (i > 0) inner = relu(network, inner);
    inner = convolution(network, inner, input.channels);
    if (values.on("norm")) inner = norm(network, inner);
  }
  inner.value = network.sum(inner.value, input.value);
  return relu(network, inner);
}

Program make(const GeneratorValues& values, SplitMix& random) {
  Network network(values, random);
  Image image = convolution(network, input_image(network, values), values["channels"]);
  for (std::int64_t stage = 0; stage < values["stages"]; ++stage) {
    if (stage > 0) image = convolution(network, pool(network, image), 2 * image.channels);
    for (std::int64_t i = 0; i < values["blocks"]; ++i) image = block(network, image, values);
  }
  return training_step(network, {image.value}, values);
}

std::int64_t operators(const GeneratorValues& values) {
  const std::int64_t blocks = values["stages"] * values["blocks"], inner = blocks * values["depth"];
  const std::int64_t pools = values["stages"] - 1, convolutions = 1 + pools + inner;
  const std::int64_t norms = values.on("norm") ? inner : 0, relus = inner, sums = blocks;
  // A convolution has a parameter, a normalization two. What a block takes, it takes twice: gradients add up.
  const std::int64_t forward = 1 + 2 * convolutions + 3 * norms + relus + sums + pools;
  const std::int64_t gradients = convolutions + norms + relus + sums + pools;
  return training_operators(forward, convolutions + 2 * norms, gradients, values);
}

}  // namespace

Generator residual_generator() {
  return {"residual",
          "a residual network: stages of blocks that add their input to their output",
          "He et al., Deep residual learning for image recognition, CVPR 2016",
          {{"stages", 2, 1, 8, 1, 2, "each with twice the channels and half the extent of the one before"},
           {"blocks", 3, 1, 1000, 1, 2, "of a stage"},
           {"depth", 2, 1, 64, 1, 2, "convolutions of a block"},
           {"norm", 1, 0, 1, 0, 1, "1: convolutions are followed by a normalization, with statistics"},
           kBatch,
           kChannels,
           kExtent,
           kUnits,
           kBackward,
           kUpdate},
          make,
          operators};
}

}  // namespace pothole
