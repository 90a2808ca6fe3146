#include "generators/images.h"

#include <algorithm>

namespace pothole {
namespace {

Image resized(Network& network, const char* name, const Image& image, std::int64_t extent) {
  Image made = image;
  made.extent = extent;
  const Bytes bytes = network.units().size(made.elements());
  const Cost cost = network.units().cost(std::max(made.elements(), image.elements()));
  made.value = network.issue(name, cost, {image.value}, {{bytes, made.elements()}},
                             {GradientRule::Way::joint, /*saves_arguments=*/true});
  return made;
}

}  // namespace

Image input_image(Network& network, const GeneratorValues& values) {
  Image image = {0, values["batch"], 3, values["extent"]};
  image.value = network.input(image.elements());
  return image;
}

Image convolution(Network& network, const Image& image, std::int64_t channels) {
  constexpr std::int64_t kTaps = 9;
  const Network::Value weights = network.parameter(image.channels * channels * kTaps);
  Image made = image;
  made.channels = channels;
  made.value = network.layer("conv", {image.value, weights}, made.elements(), made.elements() * image.channels * kTaps);
  return made;
}

Image relu(Network& network, const Image& image) {
  Image made = image;
  made.value = network.pointwise("relu", image.value);
  return made;
}

Image norm(Network& network, const Image& image) {
  Image made = image;
  made.value = network.normalized(image.value, image.channels);
  return made;
}

Image pool(Network& network, const Image& image) {
  return resized(network, "pool", image, std::max<std::int64_t>(1, image.extent / 2));
}

Image upsample(Network& network, const Image& image, std::int64_t extent) {
  return resized(network, "upsample", image, extent);
}

}  // namespace pothole
