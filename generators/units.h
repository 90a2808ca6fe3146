// Sizes and costs: what the parameter `units` of a shape means.
#pragma once

#include <cstdint>

#include "engine/units.h"
#include "generators/generator.h"

namespace pothole {

// Draws small ones and powers; real layers are what they are.
class Units {
 public:
  enum class Kind : std::uint8_t {
    small,   // 1 to 6
    powers,  // powers of two, 1 to 256
    layers,  // 4 bytes an element; a nanosecond for every 1000 units of work
  };

  // Reads the parameter `units`.
  Units(const GeneratorValues& values, SplitMix& random)
      : kind_(static_cast<Kind>(values["units"])), random_(&random) {}

  // Of a tensor of so many elements.
  Bytes size(std::int64_t elements) { return kind_ == Kind::layers ? 4 * elements : drawn(); }
  // Of a parameter: 1 where sizes are drawn, since activations outweigh parameters wherever memory is short.
  Bytes parameter_size(std::int64_t elements) const { return kind_ == Kind::layers ? 4 * elements : 1; }
  // Of an operator of so many multiplications, or elements that it touches.
  Cost cost(std::int64_t work) { return kind_ == Kind::layers ? 1 + work / 1000 : drawn(); }

 private:
  std::int64_t drawn() {
    return kind_ == Kind::small ? random_->between(1, 6) : std::int64_t{1} << random_->between(0, 8);
  }

  Kind kind_;
  SplitMix* random_;
};

}  // namespace pothole
