// Holes that the other comparison modes do not have.
#include "engine/rounding.h"

#include <gtest/gtest.h>

#include <iostream>
#include <stdexcept>
#include <vector>

#include "engine/parallel.h"
#include "engine/program_builder.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

// Sizes and costs are small multiples of two large numbers: many scores are equal fractions of many bits, which a
// division of doubles tells apart.
Program program_of_ties(std::uint64_t seed) {
  constexpr Bytes kSize = 0x1'2345'6789'ABCD;
  constexpr Cost kCost = 0xB'CDEF'0123'4567;
  SplitMix random(seed);
  ProgramBuilder builder;
  const auto check = [](const std::optional<BuildError>& error) {
    if (error) throw std::logic_error(error->what);
  };
  std::vector<TensorId> alive;
  for (std::int64_t op = random.between(7, 16); op > 0; --op) {
    std::vector<TensorId> arguments;
    for (std::int64_t n = random.between(0, 2); n > 0 && !alive.empty(); --n)
      arguments.push_back(alive[static_cast<std::size_t>(random.between(0, std::ssize(alive) - 1))]);
    alive.push_back(static_cast<TensorId>(builder.tensor_count()));
    check(builder.add_operator("f", kCost * random.between(1, 3), arguments, {{kSize * random.between(1, 3), -1, ""}}));
  }
  return builder.finish();
}

// By whole maps of every mode instead of runs within the hole.
bool runs_out_under(const Program& program, RunSettings settings, Comparison comparison, BudgetRange range) {
  settings.comparison = comparison;
  for (const Execution& e : map_by_sweep(program, settings, range).executions)
    if (e.outcome == Outcome::oom) return true;
  return false;
}

TEST(ThreadsRounding, AnArtefactIsAHoleOfOneModeOnly) {
  constexpr std::size_t kPrograms = 40000;
  constexpr Comparison kModes[] = {Comparison::reference, Comparison::exact, Comparison::naive};
  std::atomic<int> holes = 0, artefacts = 0;
  parallel_for(kPrograms, [&](std::size_t i) {
    const Program program = program_of_ties(i);
    RunSettings settings;
    PolicyError error;
    settings.policy = configure_policy("DTR", error);
    settings.comparison = kModes[i % 3];
    const FeasibilityMap map = map_by_sweep(program, settings, {1, std::max<Bytes>(peak_of(program), 1) + 1});
    for (const Hole& hole : holes_of(segments_of(map))) {
      const BudgetRange range{hole.from, hole.to};
      bool elsewhere = false;
      for (const Comparison mode : kModes)
        if (mode != settings.comparison) elsewhere = elsewhere || runs_out_under(program, settings, mode, range);
      ASSERT_EQ(is_rounding_artefact(program, settings, range, {}), !elsewhere) << "program " << i;
      ++holes;
      artefacts += !elsewhere;
    }
  });
  std::cout << holes << " holes, " << artefacts << " of them rounding artefacts\n";
  EXPECT_GT(holes, 20);
  EXPECT_GT(artefacts, 0);
}

TEST(Rounding, WhatALimitLeavesOpenIsNotAnswered) {
  std::atomic<bool> stop = true;
  SearchControl control;
  control.stop = &stop;
  RunSettings settings;
  PolicyError error;
  settings.policy = configure_policy("DTR", error);
  const Program program = random_program(3, 12);
  EXPECT_FALSE(is_rounding_artefact(program, settings, {1, peak_of(program)}, control));
}

}  // namespace
}  // namespace pothole
