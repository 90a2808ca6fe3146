#include "generators/split_mix.h"

namespace pothole {

SplitMix::SplitMix(std::uint64_t seed, std::uint64_t index) : state_(seed) {
  // Two draws with the index between them, so that neighbours in either start far apart.
  state_ = next() ^ index;
  state_ = next();
}

std::uint64_t SplitMix::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::int64_t SplitMix::between(std::int64_t least, std::int64_t most) {
  const auto count = static_cast<std::uint64_t>(most - least) + 1;
  return least + static_cast<std::int64_t>(next() % count);
}

}  // namespace pothole
