// Layers on images, for the convolutional shapes.
#pragma once

#include "generators/network.h"

namespace pothole {

// A batch of images, or what a layer makes of them.
struct Image {
  Network::Value value = 0;
  std::int64_t batch = 1, channels = 1, extent = 1;

  std::int64_t elements() const { return batch * channels * extent * extent; }
};

// The input of a network. Reads `batch` and `extent`; it has 3 channels.
Image input_image(Network& network, const GeneratorValues& values);

// 3 x 3, to so many channels of the same extent.
Image convolution(Network& network, const Image& image, std::int64_t channels);
Image relu(Network& network, const Image& image);
Image norm(Network& network, const Image& image);

// To half the extent, at least 1, and to a given larger one.
Image pool(Network& network, const Image& image);
Image upsample(Network& network, const Image& image, std::int64_t extent);

}  // namespace pothole
