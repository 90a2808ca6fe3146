// Betweenness over shortest computation paths, worked by hand and against its definition.
#include "engine/centrality.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/parallel.h"
#include "engine/program_builder.h"
#include "tests/model/slow_centrality.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

class Graph {
 public:
  TensorId add(Cost cost, std::vector<TensorId> arguments = {}, std::int64_t alias = ProgramBuilder::Output::kFresh) {
    const auto tensor = static_cast<TensorId>(builder_.tensor_count());
    if (const auto error = builder_.add_operator("f", cost, std::move(arguments), {{1, alias, ""}}))
      throw std::logic_error(error->what);
    return tensor;
  }
  CentralityRanks ranks() { return centrality_ranks(builder_.finish()); }

 private:
  ProgramBuilder builder_;
};

CentralityRanks in_ranks(const std::vector<StorageId>& order) {
  CentralityRanks ranks(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

TEST(Centrality, EndsOfPathsAreNotCounted) {
  Graph graph;
  const TensorId a = graph.add(1), b = graph.add(1, {a});
  graph.add(1, {b});
  EXPECT_EQ(graph.ranks(), in_ranks({1, 0, 2}));
}

// a -> b, c, d -> e: each of the three carries a third of one path, whatever a third is in binary; f is longer.
TEST(Centrality, EqualSharesAreEqualAndGoByAge) {
  Graph graph;
  const TensorId a = graph.add(1), f = graph.add(4, {a});
  const TensorId b = graph.add(3, {a}), c = graph.add(3, {a}), d = graph.add(3, {a});
  graph.add(9, {b, c, d, f});
  EXPECT_EQ(graph.ranks(), in_ranks({2, 3, 4, 0, 1, 5}));
}

// Through b a path computes 5, through c 2 + 2; one edge however often an argument is repeated.
TEST(Centrality, ThePathOfLessComputeIsTheShorterOne) {
  Graph graph;
  const TensorId a = graph.add(1), b = graph.add(5, {a, a}), c = graph.add(2, {a, a}), d = graph.add(2, {c});
  graph.add(1, {b, d, d});
  EXPECT_EQ(graph.ranks(), in_ranks({2, 3, 0, 1, 4}));
}

// Of two paths of equal compute the one over fewer storages without compute is the shorter.
TEST(Centrality, StoragesWithoutComputeCountOnlyBetweenEqualPaths) {
  Graph graph;
  const TensorId a = graph.add(1), b = graph.add(0, {a}), c = graph.add(0, {b}), d = graph.add(0, {a});
  graph.add(7, {c, d});
  // b: a-c. c: b-e. d: a-e.
  EXPECT_EQ(graph.ranks(), in_ranks({1, 2, 3, 0, 4}));
}

// A crossing alias makes a cycle: b is computed from a, and a's storage holds a view that was computed from b.
TEST(Centrality, CyclesAreGraphsToo) {
  Graph graph;
  const TensorId a = graph.add(3), b = graph.add(2, {a});
  const TensorId view = graph.add(4, {a, b}, 0);
  graph.add(1, {view});
  EXPECT_EQ(graph.ranks(), in_ranks({0, 1, 2}));
}

TEST(Centrality, NoStoragesHaveNoRanks) { EXPECT_TRUE(Graph().ranks().empty()); }

// 1,100 diamonds one after the other: 2^1100 shortest paths, more than a double can count.
TEST(Centrality, PathsBeyondADoubleAreCounted) {
  constexpr TensorId kDiamonds = 1100;
  Graph graph;
  TensorId top = graph.add(1);
  for (TensorId i = 0; i < kDiamonds; ++i) {
    const TensorId left = graph.add(1, {top}), right = graph.add(1, {top});
    top = graph.add(1, {left, right});
  }
  const CentralityRanks ranks = graph.ranks();
  // The middle joint lies on every path from before it to after it; both sides of a diamond carry the same.
  EXPECT_EQ(ranks[3 * (kDiamonds / 2)], 0u);
  for (TensorId i = 0; i < kDiamonds; ++i) EXPECT_LT(ranks[3 * i + 1], ranks[3 * i + 2]);
}

TEST(ThreadsCentrality, RandomProgramsAreRankedAsDefinedWhateverTheThreads) {
  std::size_t ties = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    ProgramKnobs knobs = swarm_knobs(seed, 8 + static_cast<std::int64_t>(seed % 40));
    if (seed % 2 == 0) knobs.costs = Quantities::tiny;  // many paths of equal length, many without
    const Program program = random_program(seed, knobs);
    CentralityRanks alone, together;
    with_threads(1, [&] { alone = centrality_ranks(program); });
    with_threads(2, [&] { together = centrality_ranks(program); });
    ASSERT_EQ(alone, together) << seed;
    ASSERT_EQ(alone, in_ranks(by_centrality(program))) << "program " << seed << "\n" << listing(program);
    ties += program.storages().size() > 20;
  }
  EXPECT_GT(ties, 50u);
}

TEST(ThreadsCentrality, OneProgramIsRankedOnceForAllThreads) {
  const Program program = random_program(7, 60);
  std::vector<const CentralityRanks*> seen(64);
  parallel_for(seen.size(), [&](std::size_t i) { seen[i] = &program.centrality_ranks(); });
  const Program copy = program;
  for (const CentralityRanks* ranks : seen) EXPECT_EQ(ranks, &copy.centrality_ranks());
}

}  // namespace
}  // namespace pothole
