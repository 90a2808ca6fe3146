// What a walk over evicted storages reaches: the evicted ones that it passes through and the material
// ones at which it stops, the frontier.
//
// Without crossing aliases every edge leads from a storage to a later one, so a walk takes the storages
// in order, 64 at once, and needs no list of what is still to be visited. Words never touched cost
// nothing, neither while walking nor afterwards.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/bit_set.h"
#include "engine/program.h"
#include "engine/units.h"

namespace pothole {

class Reach {
 public:
  explicit Reach(std::size_t storage_count) : reached_(storage_count), touched_(reached_.words().size()) {}

  void clear() {
    touched_.for_each([&](std::uint32_t w) { reached_.words()[w] = 0; });
    touched_.clear();
  }
  // The other ends of a storage's edges.
  void take(const EdgeRows& edges, StorageId storage) {
    const EdgeRow& row = edges.rows[storage];
    take({storage / 64, row.own});
    take_outside(edges, row);
  }

  bool contains(StorageId storage) const { return reached_.contains(storage); }

  // Every storage reached that is in `set`, in ascending order.
  template <class Visit>
  void for_each_in(const BitSet& set, const Visit& visit) const {
    touched_.for_each([&](std::uint32_t w) {
      for (std::uint64_t left = reached_.words()[w] & set.words()[w]; left != 0; left &= left - 1)
        visit(64 * w + static_cast<StorageId>(std::countr_zero(left)));
    });
  }

  // Goes on from what was reached through the storages below `limit` that are not material, and calls
  // `pass` for each. Downwards along `edges` to children, upwards along edges to parents.
  template <class Pass>
  void walk_down(const EdgeRows& edges, const BitSet& material, StorageId limit, const Pass& pass) {
    for (std::size_t t = 0; t < touched_.words().size(); ++t) {
      for (std::uint64_t words = touched_.words()[t]; words != 0;) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(words));
        const auto w = static_cast<std::uint32_t>(64 * t) + bit;
        const std::uint64_t inside = ~material.words()[w] & below(limit, w);
        for (std::uint64_t left = reached_.words()[w] & inside; left != 0;) {
          const auto s = 64 * w + static_cast<StorageId>(std::countr_zero(left));
          pass(s);
          const EdgeRow& row = edges.rows[s];
          reached_.words()[w] |= row.own;
          left = (left & (left - 1)) | (row.own & inside);
          take_outside(edges, row);
        }
        words = touched_.words()[t] & (~std::uint64_t{1} << bit);
      }
    }
  }
  template <class Pass>
  void walk_up(const EdgeRows& edges, const BitSet& material, const Pass& pass) {
    for (std::size_t t = touched_.words().size(); t-- > 0;) {
      for (std::uint64_t words = touched_.words()[t]; words != 0;) {
        const auto bit = static_cast<std::uint32_t>(std::bit_width(words)) - 1;
        const auto w = static_cast<std::uint32_t>(64 * t) + bit;
        const std::uint64_t inside = ~material.words()[w];
        for (std::uint64_t left = reached_.words()[w] & inside; left != 0;) {
          const auto i = static_cast<std::uint32_t>(std::bit_width(left)) - 1;
          const StorageId s = 64 * w + i;
          pass(s);
          const EdgeRow& row = edges.rows[s];
          reached_.words()[w] |= row.own;
          left = (left ^ (std::uint64_t{1} << i)) | (row.own & inside);
          take_outside(edges, row);
        }
        words = touched_.words()[t] & ((std::uint64_t{1} << bit) - 1);
      }
    }
  }

 private:
  void take(const EdgeWord& edges) {
    reached_.words()[edges.word] |= edges.mask;
    touched_.insert(edges.word);
  }
  void take_outside(const EdgeRows& edges, const EdgeRow& row) {
    take(row.first);
    for (std::uint32_t i = row.rest_begin; i < row.rest_end; ++i) take(edges.rest[i]);
  }
  // The bits of a word that stand for storages below the limit.
  static std::uint64_t below(StorageId limit, std::uint32_t word) {
    const StorageId first = 64 * word;
    if (limit >= first + 64) return ~std::uint64_t{0};
    return limit <= first ? 0 : (std::uint64_t{1} << (limit - first)) - 1;
  }

  BitSet reached_;
  BitSet touched_;  // by word
};

}  // namespace pothole
