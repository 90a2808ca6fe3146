// Down to a small image and up again, with what was on the way down joined on the way up.
#include "generators/images.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

Image convolutions(Network& network, Image image, std::int64_t channels, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) image = relu(network, convolution(network, image, channels));
  return image;
}

Program make(const GeneratorValues& values, SplitMix& random) {
  Network network(values, random);
  const std::int64_t count = values["convolutions"];
  Image image = convolutions(network, input_image(network, values), values["channels"], count);
  std::vector<Image> skips;
  for (std::int64_t level = 0; level < values["depth"]; ++level) {
    skips.push_back(image);
    image = convolutions(network, pool(network, image), 2 * image.channels, count);
  }
  for (; !skips.empty(); skips.pop_back()) {
    const Image& skip = skips.back();
    image = upsample(network, image, skip.extent);
    image.value = network.concat({skip.value, image.value});
    image.channels += skip.channels;
    image = convolutions(network, image, skip.channels, count);
  }
  return training_step(network, {image.value}, values);
}

}  // namespace

Generator unet_generator() {
  return {"unet",
          "a U-Net: skips across the whole network, the outermost the longest",
          "Ronneberger et al., U-Net, MICCAI 2015",
          {{"depth", 3, 1, 8, 1, 2, "levels below the top, each of twice the channels and half the extent"},
           {"convolutions", 2, 1, 64, 1, 1, "of each level, on the way down and on the way up"},
           kBatch,
           kChannels,
           kExtent,
           kUnits,
           kBackward,
           kUpdate},
          make};
}

}  // namespace pothole
