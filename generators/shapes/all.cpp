// Any program within small bounds, by its number.
#include <limits>

#include "generators/enumeration.h"
#include "generators/registry.h"

namespace pothole {
namespace {

constexpr std::int64_t kMost = 40;  // then the programs of a skeleton of 6 operators can be numbered
constexpr std::int64_t kIndexMost = std::numeric_limits<std::int64_t>::max();

Program make(const GeneratorValues& values, SplitMix&) {
  EnumerationBounds bounds;
  bounds.operators = static_cast<std::uint32_t>(values["operators"]);
  bounds.size_most = values["sizes"];
  bounds.cost_most = values["costs"];
  const Enumeration all(bounds);
  return all.program(static_cast<ProgramNumber>(values["index"]) % all.program_count());
}

}  // namespace

Generator all_generator() {
  return {"all",
          "every program of so many operators with one output each, by its number",
          "",
          {{"operators", 4, 1, 6, 4, 6, "exactly so many"},
           {"sizes", 2, 1, kMost, 1, 6, "sizes from 1 to this"},
           {"costs", 2, 1, kMost, 1, 6, "costs from 1 to this"},
           {"index", 0, 0, kIndexMost, 0, kIndexMost, "which one; counts on from 0 after the last"}},
          make};
}

}  // namespace pothole
