// Equivalence classes against semantics section 9 word for word: a union-find whose nodes are made at
// each eviction and never split.
#include "engine/classes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <optional>
#include <vector>

namespace pothole {
namespace {

constexpr StorageId kStorages = 6;

class UnionFind {
 public:
  void add(StorageId storage, WideCost compute) {
    node_of_[storage] = nodes_.size();
    nodes_.push_back({nodes_.size(), compute});
  }
  void join(StorageId a, StorageId b) {
    const std::size_t into = root(a), from = root(b);
    if (into == from) return;
    nodes_[into].value += nodes_[from].value;
    nodes_[from].parent = into;
  }
  void remove(StorageId storage, WideCost compute) {
    nodes_[root(storage)].value -= compute;
    node_of_[storage].reset();
  }

  bool has(StorageId storage) const { return node_of_[storage].has_value(); }
  WideCost value(StorageId storage) const { return nodes_[root(storage)].value; }
  bool joined(StorageId a, StorageId b) const { return root(a) == root(b); }

 private:
  struct Node {
    std::size_t parent;
    WideCost value;
  };
  std::size_t root(StorageId storage) const {
    std::size_t node = node_of_[storage].value();
    while (nodes_[node].parent != node) node = nodes_[node].parent;
    return node;
  }
  std::vector<Node> nodes_;
  std::vector<std::optional<std::size_t>> node_of_ = std::vector<std::optional<std::size_t>>(kStorages);
};

// The same partition made afresh, without the history.
Classes remade(const UnionFind& naive) {
  Classes classes(kStorages);
  for (StorageId s = 0; s < kStorages; ++s) {
    if (!naive.has(s)) continue;
    std::optional<StorageId> before;
    for (StorageId b = 0; b < s && !before; ++b)
      if (naive.has(b) && naive.joined(b, s)) before = b;
    classes.add(s, before ? 0 : naive.value(s));
    if (before) classes.join(s, *before);
  }
  return classes;
}

void check_equal(const Classes& classes, const UnionFind& naive) {
  for (StorageId a = 0; a < kStorages; ++a) {
    if (!naive.has(a)) continue;
    RC_ASSERT(classes.value(classes.of(a)) == naive.value(a));
    for (StorageId b = 0; b < kStorages; ++b)
      if (naive.has(b)) RC_ASSERT((classes.of(a) == classes.of(b)) == naive.joined(a, b));
  }
}

TEST(Classes, AnyHistoryGivesTheClassesOfAUnionFind) {
  EXPECT_TRUE(rc::check("classes equal those of a union-find, and depend on the partition alone", [] {
    Classes classes(kStorages);
    UnionFind naive;
    const int steps = *rc::gen::inRange(0, 60);
    for (int i = 0; i < steps; ++i) {
      const auto storage = *rc::gen::inRange<StorageId>(0, kStorages),
                 other = *rc::gen::inRange<StorageId>(0, kStorages);
      const WideCost compute = *rc::gen::inRange<Cost>(0, 5);
      if (!naive.has(storage)) {
        classes.add(storage, compute);
        naive.add(storage, compute);
      } else if (naive.has(other) && *rc::gen::inRange(0, 3) != 0) {
        classes.join(storage, other);
        naive.join(storage, other);
      } else {
        classes.remove(storage, compute);  // values may fall below 0
        naive.remove(storage, compute);
      }
      check_equal(classes, naive);
    }
    RC_ASSERT(classes == remade(naive));
    RC_ASSERT(classes.digest() == remade(naive).digest());
  }));
}

TEST(Classes, AStorageThatComesBackLeavesItsClassWhole) {
  Classes classes(3);
  for (const StorageId s : {0u, 1u, 2u}) classes.add(s, 10);
  classes.join(0, 1);
  classes.join(1, 2);
  classes.remove(0, 10);  // only it held the others' name
  EXPECT_EQ(classes.of(1), classes.of(2));
  EXPECT_TRUE(classes.value(classes.of(1)) == 20);
  classes.remove(1, 13);
  classes.remove(2, 10);
  EXPECT_EQ(classes, Classes(3));
}

TEST(Classes, ValuesPass64Bits) {
  Classes classes(kStorages);
  for (StorageId s = 0; s < kStorages; ++s) {
    classes.add(s, kLargestQuantity);
    classes.join(s, 0);
  }
  EXPECT_TRUE(classes.value(0) == WideCost{kLargestQuantity} * kStorages);
}

TEST(Classes, AnUnbornStorageHasAClassOfValueZero) {
  Classes classes(1);
  classes.add_unborn(0);
  EXPECT_TRUE(classes.value(classes.of(0)) == 0);
  Classes evicted(1);
  evicted.add(0, 1);
  EXPECT_NE(classes, evicted);
  EXPECT_NE(classes.digest(), evicted.digest());
  EXPECT_NE(classes.digest(), Classes(1).digest());
}

}  // namespace
}  // namespace pothole
