// The enumeration misses nothing and has nothing twice: against all traces of a tiny alphabet, made without it.
#include "generators/enumeration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "engine/program_builder.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

// Every sequence of instructions with exactly so many operators: an operator on any list of distinct tensors, with
// outputs, their sizes and a cost; or a release of any tensor that has its reference. Programs are told apart by their
// text, where releases between two operators are sorted. Of several arguments in one storage an alias names the first.
class BruteForce {
 public:
  explicit BruteForce(const EnumerationBounds& bounds) : bounds_(bounds) {}

  std::set<std::string> all() {
    extend({}, 0, 0);
    return std::move(found_);
  }

 private:
  struct Operator {
    std::vector<TensorId> arguments;
    std::vector<ProgramBuilder::Output> outputs;
    Cost cost;
    std::set<TensorId> released;
  };

  // `held`: tensors with a reference, one bit each.
  void extend(const std::vector<Operator>& so_far, std::uint32_t held, std::size_t made) {
    if (!so_far.empty() && bounds_.releases) {
      for (TensorId t = 0; t < made; ++t) {
        if ((held >> t & 1) == 0) continue;
        std::vector<Operator> more = so_far;
        more.back().released.insert(t);
        extend(more, held & ~(1u << t), made);
      }
    }
    if (so_far.size() == bounds_.operators) {
      note(so_far);
      return;
    }
    add_operator(so_far, held, made, {});
  }

  void add_operator(const std::vector<Operator>& so_far, std::uint32_t held, std::size_t made,
                    const std::vector<TensorId>& arguments) {
    add_outputs(so_far, held, made, arguments, {});
    for (TensorId t = 0; t < made; ++t) {
      if (std::find(arguments.begin(), arguments.end(), t) != arguments.end()) continue;
      if (bounds_.arguments == EnumerationBounds::Arguments::sets && !arguments.empty() && t < arguments.back())
        continue;
      if (!bounds_.late_uses && (held >> t & 1) == 0) continue;
      std::vector<TensorId> longer = arguments;
      longer.push_back(t);
      add_operator(so_far, held, made, longer);
    }
  }

  void add_outputs(const std::vector<Operator>& so_far, std::uint32_t held, std::size_t made,
                   const std::vector<TensorId>& arguments, const std::vector<ProgramBuilder::Output>& outputs) {
    for (Cost cost = bounds_.cost_least; cost <= bounds_.cost_most && !outputs.empty(); ++cost) {
      std::vector<Operator> more = so_far;
      more.push_back({arguments, outputs, cost, {}});
      extend(more, held | ((1u << outputs.size()) - 1) << made, made + outputs.size());
    }
    if (outputs.size() == bounds_.outputs_most) return;
    const auto with = [&](ProgramBuilder::Output output) {
      std::vector<ProgramBuilder::Output> more = outputs;
      more.push_back(std::move(output));
      add_outputs(so_far, held, made, arguments, more);
    };
    for (Bytes size = bounds_.size_least; size <= bounds_.size_most; ++size) with({size, -1, ""});
    std::set<TensorId> storages;
    for (std::size_t i = 0; bounds_.aliases && i < arguments.size(); ++i)
      if (storages.insert(root_of(so_far, arguments[i])).second) with({0, static_cast<std::int64_t>(i), ""});
  }

  static TensorId root_of(const std::vector<Operator>& operators, TensorId tensor) {
    TensorId first = 0;
    for (const Operator& op : operators) {
      if (tensor < first + op.outputs.size()) {
        const std::int64_t alias = op.outputs[tensor - first].alias;
        return alias < 0 ? tensor : root_of(operators, op.arguments[static_cast<std::size_t>(alias)]);
      }
      first += static_cast<TensorId>(op.outputs.size());
    }
    throw std::logic_error("nobody makes the tensor");
  }

  void note(const std::vector<Operator>& operators) {
    ProgramBuilder builder;
    std::set<TensorId> held;
    TensorId made = 0;
    for (const Operator& op : operators) {
      ASSERT_FALSE(builder.add_operator("", op.cost, op.arguments, op.outputs));
      for (std::size_t i = 0; i < op.outputs.size(); ++i) held.insert(made++);
      for (const TensorId r : op.released) {
        ASSERT_FALSE(builder.release(r));
        held.erase(r);
      }
    }
    for (const TensorId t : held) ASSERT_FALSE(builder.pin(t));
    found_.insert(native_text(builder.finish()));
  }

  const EnumerationBounds& bounds_;
  std::set<std::string> found_;
};

void expect_all(const EnumerationBounds& bounds) {
  const Enumeration enumeration(bounds);
  std::set<std::string> found;
  std::uint64_t visited = 0;
  enumeration.for_each(0, enumeration.program_count(), [&](const Program& program) {
    ++visited;
    EXPECT_TRUE(found.insert(native_text(program)).second) << "twice: " << native_text(program);
  });
  EXPECT_EQ(visited, static_cast<std::uint64_t>(enumeration.program_count()));
  const std::set<std::string> expected = BruteForce(bounds).all();
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_TRUE(found == expected);
}

TEST(Enumeration, UpToThreeOperatorsAgainstBruteForce) {
  for (std::uint32_t operators = 1; operators <= 3; ++operators)
    for (const Bytes sizes : {1, 2})
      for (const Cost costs : {1, 2})
        expect_all({.operators = operators, .size_most = sizes, .cost_most = operators == 3 ? 1 : costs});
}

TEST(Enumeration, FourOperatorsAgainstBruteForce) { expect_all({.operators = 4, .size_most = 1, .cost_most = 1}); }

TEST(Enumeration, ByNumberAndInShardsIsTheSame) {
  const Enumeration enumeration({.operators = 3, .size_most = 2, .cost_most = 2});
  std::vector<std::string> all;
  enumeration.for_each(0, enumeration.program_count(),
                       [&](const Program& program) { all.push_back(native_text(program)); });
  for (std::size_t i = 0; i < all.size(); i += 97) EXPECT_EQ(native_text(enumeration.program(i)), all[i]) << i;
  std::vector<std::string> sharded;
  const auto count = static_cast<std::uint64_t>(enumeration.program_count());
  for (std::uint64_t from = 0; from < count; from += 1000)
    enumeration.for_each(from, std::min(count, from + 1000),
                         [&](const Program& program) { sharded.push_back(native_text(program)); });
  EXPECT_TRUE(sharded == all);
}

TEST(Enumeration, SkeletonsAreNumberedToo) {
  const EnumerationBounds bounds{.operators = 4};
  const Enumeration enumeration(bounds);
  std::uint64_t visited = 0;
  ProgramNumber programs = 0;
  enumeration.for_each_skeleton(0, enumeration.skeleton_count(), [&](const Skeleton& skeleton) {
    if (visited % 1009 == 0) {
      EXPECT_TRUE(enumeration.skeleton(visited) == skeleton) << visited;
    }
    ++visited;
    programs += SkeletonPrograms(skeleton, bounds).count();
  });
  EXPECT_EQ(visited, enumeration.skeleton_count());
  EXPECT_TRUE(programs == enumeration.program_count());
}

TEST(Enumeration, WithSizesAndCostsFromNothing) {
  expect_all({.operators = 2, .size_least = 0, .size_most = 2, .cost_least = 0, .cost_most = 1});
}

TEST(Enumeration, WithAliasesAgainstBruteForce) {
  expect_all({.operators = 2, .size_most = 2, .cost_most = 2, .aliases = true});
  expect_all({.operators = 3, .size_most = 1, .cost_most = 1, .aliases = true});
  expect_all({.operators = 3, .size_most = 2, .cost_most = 1, .aliases = true, .releases = false});
}

TEST(Enumeration, WithSeveralOutputsAgainstBruteForce) {
  expect_all({.operators = 1, .size_most = 2, .cost_most = 2, .outputs_most = 3});
  expect_all({.operators = 2, .size_most = 2, .cost_most = 1, .outputs_most = 2});
  expect_all({.operators = 2, .size_most = 1, .cost_most = 1, .outputs_most = 2, .aliases = true});
  expect_all({.operators = 2, .size_most = 1, .cost_most = 1, .outputs_most = 3, .aliases = true, .releases = false});
}

TEST(Enumeration, OfSetsOfArgumentsAgainstBruteForce) {
  using Arguments = EnumerationBounds::Arguments;
  expect_all({.operators = 3, .size_most = 2, .cost_most = 1, .arguments = Arguments::sets});
  expect_all({.operators = 4, .size_most = 1, .cost_most = 1, .arguments = Arguments::sets});
  expect_all({.operators = 3, .size_most = 1, .cost_most = 1, .aliases = true, .arguments = Arguments::sets});
  expect_all({.operators = 2, .size_most = 1, .cost_most = 2, .outputs_most = 2, .arguments = Arguments::sets});
}

TEST(Enumeration, WithoutLateUsesAgainstBruteForce) {
  expect_all({.operators = 3, .size_most = 2, .cost_most = 1, .late_uses = false});
  expect_all({.operators = 4, .size_most = 1, .cost_most = 1, .late_uses = false});
  expect_all({.operators = 3, .size_most = 1, .cost_most = 1, .aliases = true, .late_uses = false});
  expect_all({.operators = 2, .size_most = 1, .cost_most = 1, .outputs_most = 2, .aliases = true, .late_uses = false});
}

// Counts as they were when the brute force agreed on the smaller ones.
TEST(Enumeration, CountsArePinned) {
  const auto count = [](std::uint32_t operators, Bytes sizes, Cost costs) {
    return static_cast<std::uint64_t>(
        Enumeration({.operators = operators, .size_most = sizes, .cost_most = costs}).program_count());
  };
  // With one size and one cost: the product of the numbers of argument lists, times (n + 1)!.
  const std::uint64_t counts[] = {2, 12, 240, 19'200, 7'488'000};
  for (std::uint32_t operators = 1; operators <= 5; ++operators)
    EXPECT_EQ(count(operators, 1, 1), counts[operators - 1]);
  // The second operator has two lists of arguments; releases: both tensors held, 4 ways and 2 where one went before.
  EXPECT_EQ(count(2, 1, 1), 2u * (4 + 2));
  EXPECT_EQ(count(2, 3, 2), 2u * (4 + 2) * 9 * 4);
}

}  // namespace
}  // namespace pothole
