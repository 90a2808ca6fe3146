// Every layer of a block takes what all layers before it made.
#include <algorithm>

#include "generators/images.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

Image joined(Network& network, const std::vector<Image>& images) {
  if (images.size() == 1) return images[0];
  Image all = images[0];
  all.channels = 0;
  std::vector<Network::Value> values;
  for (const Image& image : images) {
    values.push_back(image.value);
    all.channels += image.channels;
  }
  all.value = network.concat(values);
  return all;
}

Program make(const GeneratorValues& values, SplitMix& random) {
  Network network(values, random);
  Image image = convolution(network, input_image(network, values), values["channels"]);
  for (std::int64_t b = 0; b < values["blocks"]; ++b) {
    if (b > 0) image = pool(network, convolution(network, image, std::max<std::int64_t>(1, image.channels / 2)));
    std::vector<Image> made = {image};
    for (std::int64_t i = 0; i < values["layers"]; ++i) {
      const Image input = joined(network, made);
      made.push_back(relu(network, convolution(network, input, values["growth"])));
    }
    image = joined(network, made);
  }
  return training_step(network, {image.value}, values);
}

}  // namespace

Generator dense_blocks_generator() {
  return {"dense-blocks",
          "dense blocks: every layer of a block takes what all layers before it made",
          "Huang et al., Densely connected convolutional networks, CVPR 2017",
          {{"blocks", 2, 1, 64, 1, 2, "with a convolution and a pooling in between"},
           {"layers", 4, 1, 64, 1, 3, "of a block"},
           {"growth", 12, 1, 128, 1, 16, "channels that a layer adds"},
           kBatch,
           kChannels,
           kExtent,
           kUnits,
           kBackward,
           kUpdate},
          make};
}

}  // namespace pothole
