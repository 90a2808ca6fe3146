// The one mixing function behind digests and draws: the same on every machine, and no more than that.
#pragma once

#include <cstdint>

namespace pothole {

// A bijection of 64-bit words that spreads every input bit (the finalizer of splitmix64; Steele, Lea
// and Flood, "Fast splittable pseudorandom number generators", 2014).
constexpr std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15u;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

// A digest of a sequence, one word at a time.
constexpr std::uint64_t extended(std::uint64_t digest, std::uint64_t word) { return mixed(digest ^ mixed(word)); }

}  // namespace pothole
