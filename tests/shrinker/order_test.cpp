// The order of what is smaller is total, and each member decides before those after it.
#include "shrinker/order.h"

#include <gtest/gtest.h>

#include <sstream>

#include "corpus/trace.h"
#include "engine/draft.h"
#include "generators/random_program.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

Program program_from(const std::string& operators, const std::string& pins = "") {
  std::istringstream text(R"({"format":"pothole-trace/1","name":"x","operators":[)" + operators + "]" +
                          (pins.empty() ? "" : ",\"pins\":[" + pins + "]") + "}");
  return read_trace(text, "x").program;
}

constexpr Witness kWitness = {2, 3, 4};

TEST(Order, GoesByOperatorsThenTensorsThenEdgesThenValuesThenBytesThenBudgetsThenSpelling) {
  const std::vector<Rank> ascending = {
      rank_of(program_from(R"({"op":"","cost":9,"out":[{"name":"a","size":90},{"name":"b","size":7}]})"), kWitness),
      // One operator more.
      rank_of(program_from(R"({"op":"","cost":1,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":1,"args":["a"],"out":[{"name":"b","size":1}]})"),
              kWitness),
      // One edge more.
      rank_of(program_from(R"({"op":"","cost":1,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":1,"args":["a","a"],"out":[{"name":"b","size":1}]})"),
              kWitness),
      // Bytes more.
      rank_of(program_from(R"({"op":"","cost":1,"out":[{"name":"a","size":2}]},
                              {"op":"","cost":1,"args":["a","a"],"out":[{"name":"b","size":2}]})"),
              kWitness),
      // One value more.
      rank_of(program_from(R"({"op":"","cost":1,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":1,"args":["a","a"],"out":[{"name":"b","size":2}]})"),
              kWitness),
      // Two values more.
      rank_of(program_from(R"({"op":"","cost":3,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":4,"args":["a","a"],"out":[{"name":"b","size":2}]})"),
              kWitness),
      // A wider hole, then larger budgets.
      rank_of(program_from(R"({"op":"","cost":3,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":4,"args":["a","a"],"out":[{"name":"b","size":2}]})"),
              {2, 3, 5}),
      rank_of(program_from(R"({"op":"","cost":3,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":4,"args":["a","a"],"out":[{"name":"b","size":2}]})"),
              {3, 4, 6}),
      // An output of the trace more.
      rank_of(program_from(R"({"op":"","cost":3,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":4,"args":["a","a"],"out":[{"name":"b","size":2}]})",
                           R"("a")"),
              {3, 4, 6}),
      // One tensor more, an alias.
      rank_of(program_from(R"({"op":"","cost":1,"out":[{"name":"a","size":1}]},
                              {"op":"","cost":1,"args":["a"],"out":[{"name":"b","size":1},{"name":"c","alias":"a"}]})"),
              kWitness)};
  for (std::size_t i = 0; i + 1 < ascending.size(); ++i) EXPECT_LT(ascending[i], ascending[i + 1]) << i;
}

TEST(Order, OfNoCostIsAfterAnyOther) {
  const auto rank = [](const std::string& cost) {
    return rank_of(program_from(R"({"op":"","cost":)" + cost + R"(,"out":[{"name":"a","size":1}]})"), kWitness);
  };
  EXPECT_LT(rank("1"), rank("2"));
  EXPECT_LT(rank("2"), rank("0"));
}

TEST(Order, TellsProgramsApartExactlyWhereTheyDifferInMoreThanNames) {
  std::vector<std::pair<std::string, Rank>> all;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draft draft = draft_of(random_program(seed % 30, 6));
    for (Draft::Tensor& tensor : draft.tensors) tensor.name.clear();
    for (Draft::Step& step : draft.steps) step.name.clear();
    const Program program = *program_of(draft);
    all.emplace_back(native_text(program), rank_of(program, kWitness));
  }
  for (const auto& [a_text, a] : all)
    for (const auto& [b_text, b] : all) {
      ASSERT_EQ(a == b, a_text == b_text) << a_text << b_text;
      ASSERT_EQ(a<b, b> a);
    }
}

}  // namespace
}  // namespace pothole
