// Everything that a trace can hold is met among drawn programs, and near ties where they are promised.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/run.h"
#include "generators/generator.h"

namespace pothole {
namespace {

std::set<std::string> features_of(const Program& program) {
  std::set<std::string> found;
  std::vector<int> references(program.tensors().size(), 0);
  for (std::size_t i = 0; i < program.commands().size(); ++i) {
    const Command& command = program.commands()[i];
    if (command.kind == Command::Kind::get) found.insert("get"), ++references[command.id];
    if (command.kind == Command::Kind::release) found.insert("release"), --references[command.id];
    if (command.kind != Command::Kind::issue) continue;
    const Operator& op = program.operators()[command.id];
    if (op.constant) found.insert("constant");
    if (op.output_count > 1) found.insert("several outputs");
    const auto arguments = program.arguments(command.id);
    for (TensorId a : arguments)
      if (references[a] == 0) found.insert("late use");
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      references[t] = 1;
      if (program.tensors()[t].alias) found.insert("alias");
    }
    const bool fresh = !program.tensors()[op.first_output].alias;
    const Command* next = i + 1 < program.commands().size() ? &program.commands()[i + 1] : nullptr;
    if (fresh && next != nullptr && next->kind == Command::Kind::release && !arguments.empty() &&
        next->id == arguments[0] &&
        program.tensors()[op.first_output].size == program.storages()[program.tensors()[arguments[0]].storage].size)
      found.insert("mutation");
  }
  if (program.has_crossing_alias()) found.insert("crossing alias");
  if (!program.pins().empty()) found.insert("output");
  return found;
}

std::vector<Recipe> drawn(const std::string& name, std::uint64_t count) {
  std::vector<Recipe> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    SplitMix random(5, i);
    all.push_back(drawn_recipe(*find_generator(name), random));
  }
  return all;
}

std::map<std::string, int> features_among(const std::string& name, std::uint64_t count) {
  std::map<std::string, int> found;
  for (const Recipe& recipe : drawn(name, count))
    for (const std::string& feature : features_of(program_of(recipe))) ++found[feature];
  return found;
}

TEST(Features, AreAllReachable) {
  const auto found = features_among("random", 300);
  for (const char* feature :
       {"get", "release", "constant", "several outputs", "late use", "alias", "mutation", "crossing alias", "output"})
    EXPECT_GE(found.count(feature) ? found.at(feature) : 0, 10) << feature;
}

TEST(Features, OfShapesAreWhatTheirNamesSay) {
  const auto views = features_among("views", 200);
  EXPECT_GE(views.at("alias"), 180);
  EXPECT_GE(views.at("mutation"), 100);
  EXPECT_GE(views.at("crossing alias"), 30);
  EXPECT_EQ(features_among("multi-output", 200).at("several outputs"), 200);
  EXPECT_GE(features_among("lstm", 100).at("alias"), 100);
  EXPECT_GE(features_among("chain", 200).at("mutation"), 30);
}

TEST(Features, CrossingAliasesOnlyWhenAskedFor) {
  for (Recipe& recipe : drawn("views", 100)) {
    recipe.values.set("crossing", 0);
    EXPECT_FALSE(program_of(recipe).has_crossing_alias()) << text_of(recipe);
  }
}

// DTR's score of a storage without evicted neighbours, c / (m s), at one moment: equal where c / m is.
TEST(Features, NearTiesAreEqualOrAHairApart) {
  int equal = 0, near = 0;
  for (const Recipe& recipe : drawn("near-ties", 200)) {
    const Program program = program_of(recipe);
    for (OperatorId op = 0; op < program.operators().size(); ++op) {
      if (program.operator_name(op) != "gather") continue;
      const auto members = program.arguments(op);
      for (std::size_t i = 0; i + 1 < members.size(); ++i) {
        const auto& a = program.tensors()[members[i]];
        const auto& b = program.tensors()[members[i + 1]];
        const WideCost left = WideCost{program.operators()[a.op].cost} * b.size;
        const WideCost right = WideCost{program.operators()[b.op].cost} * a.size;
        const WideCost apart = left > right ? left - right : right - left;
        // Each cost is at most one off.
        ASSERT_LE(apart, WideCost{a.size} + b.size) << text_of(recipe);
        ++(apart == 0 ? equal : near);
      }
    }
  }
  EXPECT_GT(equal, 500);
  EXPECT_GT(near, 500);
}

// The lower bound: against the policy that it plays, the game costs more than the same game against another.
TEST(Adversary, MakesThePolicyRecomputeWholePaths) {
  std::vector<Recipe> read;
  RecipeError error;
  for (const char* policy : {"DTR", "LRU", "DTRLocal", "MSPS"}) {
    read.clear();
    ASSERT_TRUE(read_recipe("gen:adversary?policy=" + std::string(policy) + "&budget=4&operators=120", read, error));
    const Program program = program_of(read[0]);
    RunSettings settings;
    PolicyError wrong;
    settings.policy = configure_policy(policy, wrong);
    settings.overhead_limit = *OverheadLimit::parse("1000000000");
    const RunResult played = run(program, settings, 4);
    ASSERT_EQ(played.outcome, Outcome::ok) << policy;
    // Omega(n / B) more than the n operators of a path after the other.
    EXPECT_GT(played.measures.remat_compute, 120 * 120 / 4 / 4) << policy;
    EXPECT_EQ(program.operators().size(), 120u);
  }
}

TEST(Adversary, ReadsThePolicy) {
  std::vector<Recipe> read;
  RecipeError error;
  ASSERT_TRUE(read_recipe("gen:adversary?policy=LRU&budget=4", read, error));
  ASSERT_TRUE(read_recipe("gen:adversary?policy=LargestStorage&budget=4", read, error));
  const auto parents = [](const Program& program) {
    std::vector<TensorId> all;
    for (OperatorId op = 1; op < program.operators().size(); ++op) all.push_back(program.arguments(op)[0]);
    return all;
  };
  EXPECT_NE(parents(program_of(read[0])), parents(program_of(read[1])));
}

}  // namespace
}  // namespace pothole
