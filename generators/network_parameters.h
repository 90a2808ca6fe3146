// Parameters that mean the same for every shape that has them.
#pragma once

#include "generators/generator.h"

namespace pothole {

inline constexpr std::string_view kUnitNames[] = {"small", "powers", "layers"};

inline constexpr GeneratorParameter kUnits = {
    "units",
    2,
    0,
    2,
    0,
    2,
    "sizes and costs: 1 to 6, powers of two up to 256 (parameters always 1), or those of real layers",
    kUnitNames};
inline constexpr GeneratorParameter kBatch = {"batch", 64, 1, 512, 4, 64, "samples of a batch"};
inline constexpr GeneratorParameter kChannels = {"channels", 16, 1, 1024, 1, 16, "channels, or features of a layer"};
inline constexpr GeneratorParameter kExtent = {"extent", 64, 1, 256, 2, 32, "height and width of an image"};
inline constexpr GeneratorParameter kBackward = {"backward", 1, 0, 1, 0, 1, "1: with a loss and the backward pass"};
inline constexpr GeneratorParameter kUpdate = {
    "update", 0, 0, 1, 0, 1, "1: gradients are added to the parameters in place, 0: they are outputs"};

}  // namespace pothole
