// A signature is the same under other names, sizes and costs.
#include "properties/hole_signature.h"

#include <gtest/gtest.h>

#include "corpus/trace.h"
#include "engine/search.h"
#include "generators/random_program.h"
#include "properties/transform.h"

namespace pothole {
namespace {

RunSettings dtr() {
  PolicyError error;
  RunSettings settings;
  settings.policy = configure_policy("DTR", error);
  return settings;
}

TEST(HoleSignature, OfTheFiveOperators) {
  const Program program = read_trace(POTHOLE_SOURCE_DIR "/corpus/seeds/five-operators.log").program;
  const HoleSignature signature = hole_signature(program, dtr(), 12, 13);
  EXPECT_EQ(signature.depth, 2);
  EXPECT_FALSE(signature.at_outputs);
  EXPECT_EQ(
      text_of(signature),
      "fails at an operator, bringing back an argument; parts before, where ok evicts an argument and oom another");
}

TEST(HoleSignature, DoesNotChangeWithNamesSizesAndCosts) {
  int holes = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Program program = random_program(seed, 12);
    const FeasibilityMap map = map_by_sweep(program, dtr(), {1, peak_of(program) + 1});
    const std::vector<Hole> found = holes_of(segments_of(map));
    if (found.empty() || found[0].thrashed_bytes > 0) continue;
    const Bytes ok = found[0].safe_budget, oom = found[0].from;
    const HoleSignature signature = hole_signature(program, dtr(), ok, oom);
    EXPECT_EQ(hole_signature(*renamed(program), dtr(), ok, oom), signature) << seed;
    if (const auto larger = with_sizes_times(program, 4)) {
      EXPECT_EQ(hole_signature(*larger, dtr(), 4 * ok, 4 * oom), signature) << seed;
    }
    ++holes;
  }
  EXPECT_GT(holes, 20);
}

}  // namespace
}  // namespace pothole
