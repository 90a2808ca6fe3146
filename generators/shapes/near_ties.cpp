// Storages that score alike: of one ratio of cost to size, touched at one moment, and then, if asked for, a hair apart.
#include <algorithm>

#include "generators/checked_builder.h"
#include "generators/registry.h"

namespace pothole {
namespace {

class NearTies {
 public:
  NearTies(const GeneratorValues& values, SplitMix& random) : values_(values), random_(random) {
    const std::int64_t magnitude = std::int64_t{1} << values["bits"];
    size_unit_ = random.between((magnitude + 1) / 2, magnitude);
    cost_unit_ = random.between((magnitude + 1) / 2, magnitude);
  }

  Program make() {
    const TensorId root = builder_.constant(size_unit_, "");
    std::vector<std::vector<TensorId>> groups;
    for (std::int64_t g = 0; g < values_["groups"]; ++g) {
      groups.push_back(group(groups.empty() ? root : random_.pick<TensorId>(groups.back())));
      gather(groups.back());
    }
    // Back again, so that what was evicted is missed.
    for (; !groups.empty(); groups.pop_back()) {
      gather(groups.back());
      for (TensorId t : groups.back()) builder_.release(t);
    }
    builder_.pin_referenced();
    return builder_.finish();
  }

 private:
  // Members cost so much for each byte as all others; those of different size differ in nothing else.
  std::vector<TensorId> group(TensorId parent) {
    std::vector<TensorId> members;
    for (std::int64_t i = 0; i < values_["width"]; ++i) {
      const std::int64_t times = random_.between(1, values_["sizes"]);
      const bool off = random_.chance(static_cast<int>(values_["off"]));
      const Cost cost = std::max<Cost>(0, times * cost_unit_ + (off ? 2 * random_.between(0, 1) - 1 : 0));
      members.push_back(builder_.compute("member", cost, {parent}, times * size_unit_));
    }
    return members;
  }

  // Touches all at one moment. Costs nothing where the clock is to stand still, so that groups tie too.
  void gather(const std::vector<TensorId>& group) {
    const Cost cost = random_.chance(50) ? 0 : cost_unit_;
    const TensorId made = builder_.compute("gather", cost, group, size_unit_);
    if (random_.chance(50)) builder_.release(made);
  }

  const GeneratorValues& values_;
  SplitMix& random_;
  CheckedBuilder builder_;
  Bytes size_unit_ = 1;
  Cost cost_unit_ = 1;
};

Program make(const GeneratorValues& values, SplitMix& random) { return NearTies(values, random).make(); }

}  // namespace

Generator near_ties_generator() {
  return {
      "near-ties",
      "storages with equal and almost equal scores, on purpose: only how ties are broken decides",
      "",
      {{"groups", 5, 1, 1000, 1, 5, "of storages touched at one moment"},
       {"width", 5, 1, 64, 2, 6, "storages of a group"},
       {"sizes", 3, 1, 16, 1, 4, "different sizes, at equal cost for each byte"},
       {"off", 20, 0, 100, 0, 50, "chance in percent that a cost is one more or less"},
       {"bits", 10, 0, 32, 0, 32, "of the common size and cost; from about 18 on, products pass 2^53 and are rounded"}},
      make};
}

}  // namespace pothole
