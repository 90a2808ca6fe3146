#include "engine/program_builder.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/draft.h"
#include "generators/random_program.h"
#include "tests/support/same_program.h"

namespace pothole {
namespace {

TEST(ProgramBuilder, LinksStoragesAndTheirTensors) {
  ProgramBuilder b;
  ASSERT_FALSE(b.add_constant(3, "w"));
  ASSERT_FALSE(b.add_operator("conv", 4, {0}, {{6, -1, "x"}}));
  ASSERT_FALSE(b.add_operator("view", 1, {1}, {{0, 0, "v"}}));
  ASSERT_FALSE(b.add_operator("relu", 2, {2, 2}, {{6, -1, "y"}, {1, -1, "mask"}}));
  const Program p = b.finish();
  EXPECT_EQ(p.storages().size(), 4u);
  EXPECT_EQ(p.tensors_of(1).size(), 2u);
  ASSERT_EQ(p.children(1).size(), 2u);
  EXPECT_EQ(p.children(1)[0].storage, 2u);
  EXPECT_EQ(p.parents(3)[0].storage, 1u);
  EXPECT_EQ(p.joined(2)[0], 1u);
  EXPECT_EQ(p.constant_bytes(), 3);
  EXPECT_EQ(p.total_storage_compute(), 4 + 1 + 2 + 2);
  EXPECT_FALSE(p.has_crossing_alias());
  EXPECT_FALSE(p.storages()[1].has_siblings);
  EXPECT_TRUE(p.storages()[2].has_siblings);
}

TEST(ProgramBuilder, OtherValuesAreAsIfBuiltWithThem) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Program program = random_program(seed, static_cast<std::int64_t>(1 + seed % 30));
    Draft draft = draft_of(program);
    SplitMix random(seed);
    std::vector<Bytes> sizes;
    for (const Storage& storage : program.storages())
      draft.tensors[storage.root].size = sizes.emplace_back(random.between(0, 1000));
    std::vector<Cost> costs;
    std::size_t step = 0;
    for (const Operator& op : program.operators()) {
      costs.push_back(op.constant ? 0 : random.between(0, 1000));  // as ever for a constant
      while (!draft.steps[step].makes()) ++step;
      if (!op.constant) draft.steps[step].cost = costs.back();
      ++step;
    }
    const auto built = program_of(draft);
    ASSERT_TRUE(built) << seed;
    ASSERT_FALSE(ProgramBuilder::revalue(program, sizes, costs)) << seed;
    ASSERT_TRUE(same_program(program, *built)) << seed;
    for (StorageId s = 0; s < program.storages().size(); ++s)
      ASSERT_TRUE(std::ranges::equal(program.uses(s), built->uses(s))) << seed;
  }
}

TEST(ProgramBuilder, WrongValuesLeaveAProgramAsItWas) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Program before = random_program(seed, 12);
    Program program = random_program(seed, 12);
    for (const std::int64_t wrong : {std::int64_t{-1}, kMost}) {
      std::vector<Bytes> sizes(program.storages().size(), 1);
      const std::vector<Cost> costs(program.operators().size(), 1);
      sizes.back() = wrong;
      EXPECT_TRUE(ProgramBuilder::revalue(program, sizes, costs)) << seed;
      ASSERT_TRUE(same_program(program, before)) << seed;
    }
  }
}

TEST(ProgramBuilder, RefusesWhatWouldNotBeAProgram) {
  ProgramBuilder b;
  EXPECT_TRUE(b.add_operator("f", 1, {0}, {{1, -1, ""}}));
  EXPECT_TRUE(b.add_operator("f", 1, {}, {}));
  EXPECT_TRUE(b.add_operator("f", -1, {}, {{1, -1, ""}}));
  EXPECT_TRUE(b.add_operator("f", 1, {}, {{1, 0, ""}}));
  EXPECT_TRUE(b.add_operator("f", kLargestQuantity + 1, {}, {{1, -1, ""}}));
  EXPECT_EQ(b.operator_count(), 0u);
  ASSERT_FALSE(b.add_operator("f", kLargestQuantity, {}, {{kLargestQuantity, -1, ""}}));
  EXPECT_TRUE(b.add_operator("g", 1, {}, {{0, -1, ""}}));
  EXPECT_TRUE(b.add_operator("g", 0, {}, {{1, -1, ""}}));
  ASSERT_FALSE(b.release(0));
  EXPECT_TRUE(b.release(0));
}

TEST(ProgramBuilder, SumsOfTheLargestQuantitiesAreRefusedNotOverflowed) {
  ProgramBuilder b;
  ASSERT_FALSE(b.add_operator("f", kLargestQuantity, {}, {{kLargestQuantity, -1, ""}}));
  EXPECT_TRUE(b.add_operator("g", kLargestQuantity, {}, {{0, -1, ""}}));
  EXPECT_TRUE(b.add_operator("g", 0, {}, {{kLargestQuantity, -1, ""}}));
  ASSERT_FALSE(b.add_operator("g", 0, {0, 0, 0}, {{0, -1, ""}}));
  EXPECT_EQ(b.finish().bottleneck(), std::numeric_limits<Bytes>::max());
}

TEST(ProgramBuilder, TheBottleneckCountsConstantsAndRepeats) {
  ProgramBuilder b;
  ASSERT_FALSE(b.add_constant(3, "w"));
  ASSERT_FALSE(b.add_operator("f", 1, {0}, {{4, -1, "x"}}));
  ASSERT_FALSE(b.add_operator("g", 1, {1, 1}, {{0, 0, "v"}}));
  ASSERT_FALSE(b.add_operator("h", 1, {2, 2}, {{1, -1, "y"}}));
  EXPECT_EQ(b.finish().bottleneck(), 8);
}

TEST(ProgramBuilder, NamesAreUniqueHoweverOftenOneIsWanted) {
  ProgramBuilder b;
  constexpr int kCount = 50'000;
  ASSERT_FALSE(b.add_constant(1, "x#3"));
  for (int i = 0; i < kCount; ++i) ASSERT_FALSE(b.add_constant(1, "x"));
  const Program p = b.finish();
  EXPECT_EQ(p.tensor_name(1), "x");
  EXPECT_EQ(p.tensor_name(2), "x#2");
  EXPECT_EQ(p.tensor_name(3), "x#4");
  EXPECT_EQ(p.tensor_name(kCount), "x#50001");
}

TEST(ProgramBuilder, ACrossingAliasIsNoticed) {
  ProgramBuilder b;
  ASSERT_FALSE(b.add_operator("f", 1, {}, {{1, -1, ""}, {1, -1, ""}}));
  ASSERT_FALSE(b.add_operator("view", 1, {0, 1}, {{0, 0, ""}}));
  EXPECT_TRUE(b.finish().has_crossing_alias());
}

}  // namespace
}  // namespace pothole
