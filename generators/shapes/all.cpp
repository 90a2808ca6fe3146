// Any program within small bounds, by its numbers.
#include <limits>

#include "generators/enumeration.h"
#include "generators/registry.h"

namespace pothole {
namespace {

constexpr std::int64_t kNumberMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMost = 38;  // 38^12, the programs of a skeleton of 6 operators, is still below kNumberMost

Program make(const GeneratorValues& values, SplitMix&) {
  EnumerationBounds bounds;
  bounds.operators = static_cast<std::uint32_t>(values["operators"]);
  bounds.size_most = values["sizes"];
  bounds.cost_most = values["costs"];
  const Enumeration all(bounds);
  // Every skeleton has as many programs: both numbers drawn evenly draw evenly from all programs, up to the remainders
  // of a division of 2^63, less than one in 10^8 for the bounds that campaigns draw.
  SkeletonPrograms programs(all.skeleton(static_cast<std::uint64_t>(values["skeleton"]) % all.skeleton_count()),
                            bounds);
  programs.go_to(static_cast<std::uint64_t>(values["values"]) % programs.count());
  return programs.program();
}

}  // namespace

Generator all_generator() {
  return {"all",
          "every program of so many operators with one output each, by its numbers",
          "",
          {{"operators", 4, 1, 6, 4, 6, "exactly so many"},
           {"sizes", 2, 1, kMost, 1, 6, "sizes from 1 to this"},
           {"costs", 2, 1, kMost, 1, 6, "costs from 1 to this"},
           {"skeleton", 0, 0, kNumberMost, 0, kNumberMost,
            "which program without its sizes and costs; counts on from 0 after the last"},
           {"values", 0, 0, kNumberMost, 0, kNumberMost, "which sizes and costs, likewise; costs change fastest"}},
          make};
}

}  // namespace pothole
