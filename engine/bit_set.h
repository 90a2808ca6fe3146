// A set of small integers, one bit each, with access to the words for those who take 64 at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace pothole {

class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t count) : words_((count + 63) / 64, 0) {}
  bool empty() const { return words_.empty(); }  // made without room for any
  bool contains(std::uint32_t i) const { return words_[i / 64] >> (i % 64) & 1; }
  void insert(std::uint32_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(std::uint32_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  void clear() { std::fill(words_.begin(), words_.end(), 0); }

  std::vector<std::uint64_t>& words() { return words_; }
  const std::vector<std::uint64_t>& words() const { return words_; }

  // In ascending order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left)));
  }

  friend bool operator==(const BitSet&, const BitSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace pothole
