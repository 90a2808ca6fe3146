// The generator of all random choices: a splitmix64 sequence (Steele, Lea, Flood, OOPSLA 2014), the same on every
// machine. The standard distributions may differ between libraries, so there are none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pothole {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  // The sequence number `index` of a seed: those of different indices have nothing in common.
  SplitMix(std::uint64_t seed, std::uint64_t index);

  std::uint64_t next();
  // Uniform enough in [least, most].
  std::int64_t between(std::int64_t least, std::int64_t most);
  bool chance(int percent) { return between(1, 100) <= percent; }
  // A place in a list of so many, which is not empty.
  std::size_t index_below(std::size_t count) {
    return static_cast<std::size_t>(between(0, static_cast<std::int64_t>(count) - 1));
  }
  template <class Item>
  const Item& pick(std::span<const Item> items) {
    return items[index_below(items.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace pothole
