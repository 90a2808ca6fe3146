// Gradients and releases of training steps.
#include "generators/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "engine/run.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

using testing::HasSubstr;
using Value = Network::Value;

const Generator& training() { return *find_generator("chain"); }

// What a program does, by names of operators: "name(arguments)->outputs", "-t" for a release, "=t" for an output.
std::string told(const Program& program) {
  std::ostringstream out;
  for (const Command& command : program.commands()) {
    if (command.kind == Command::Kind::release) out << " -" << command.id;
    if (command.kind != Command::Kind::issue) continue;
    const Operator& op = program.operators()[command.id];
    out << (command.id == 0 ? "" : " ") << (op.constant ? "constant" : program.operator_name(command.id)) << "(";
    for (TensorId a : program.arguments(command.id)) out << (a == program.arguments(command.id)[0] ? "" : ",") << a;
    out << ")" << op.first_output;
    if (op.output_count > 1) out << ".." << op.first_output + op.output_count - 1;
  }
  for (TensorId t : program.pins()) out << " =" << t;
  return out.str();
}

TEST(Network, ATrainingStepReleasesWhatNothingNeedsAnyMore) {
  GeneratorValues values(training());
  SplitMix random(0);
  Network network(values, random);
  const Value x = network.input(8);
  const Value w = network.parameter(8);
  const Value y = network.pointwise("relu", network.layer("linear", {x, w}, 8, 64));
  // The result of the layer goes at once, that of relu is saved; the loss lives to the end.
  EXPECT_EQ(told(training_step(network, {y}, values)),
            "constant()0 constant()1 linear(0,1)2 relu(2)3 -2 loss(3)4 ones_like(4)5 loss_backward(5,3)6 -5 "
            "relu_backward(6,3)7 -6 -3 linear_backward(7,0,1)8 -7 -4 =0 =1 =8");
}

TEST(Network, ParametersAreUpdatedInPlace) {
  GeneratorValues values(training());
  values.set("update", 1);
  SplitMix random(0);
  Network network(values, random);
  const Value w = network.parameter(8);
  const Value y = network.layer("linear", {w}, 8, 64);
  EXPECT_EQ(told(training_step(network, {y}, values)),
            "constant()0 linear(0)1 loss(1)2 ones_like(2)3 loss_backward(3,1)4 -3 -1 linear_backward(4,0)5 -4 "
            "add_(0,5)6 -0 -5 -2 =6");
}

TEST(Network, GradientsOfATensorUsedTwiceAreAdded) {
  GeneratorValues values(training());
  SplitMix random(0);
  Network network(values, random);
  const Value w = network.parameter(8);
  const Value a = network.pointwise("relu", w);
  const Value b = network.hadamard(a, w);
  const Value loss = network.loss({network.sum(b, a)});
  const auto gradients = network.gradients(loss, network.parameters());
  ASSERT_NE(gradients[0], kNone);
  network.keep(gradients[0]);
  const std::string text = told(network.program());
  // The sum hands its gradient on without an operator; a and w each get two parts.
  EXPECT_THAT(text, HasSubstr("mul_backward"));
  std::size_t sums = 0;
  for (std::size_t at = text.find(" add("); at != std::string::npos; at = text.find(" add(", at + 1)) ++sums;
  EXPECT_EQ(sums, 3u) << text;
}

TEST(Network, WhatDoesNotLeadToAParameterGetsNoGradient) {
  GeneratorValues values(training());
  SplitMix random(0);
  Network network(values, random);
  const Value x = network.input(8);
  const Value idle = network.pointwise("tanh", x);
  const Value w = network.parameter(8);
  const Value other = network.parameter(8);
  const Value loss = network.loss({network.hadamard(idle, w)});
  const auto gradients = network.gradients(loss, network.parameters());
  EXPECT_NE(gradients[0], kNone);
  EXPECT_EQ(gradients[1], kNone) << other;
  EXPECT_THAT(told(network.program()), testing::Not(HasSubstr("tanh_backward")));
}

TEST(Network, ThereAreGradientsOfGradients) {
  std::vector<Recipe> read;
  RecipeError error;
  ASSERT_TRUE(read_recipe("gen:unrolled-gan", read, error));
  const std::string text = told(program_of(read[0]));
  EXPECT_THAT(text, HasSubstr("mm_backward_backward"));
  EXPECT_THAT(text, HasSubstr("loss_backward_backward"));
}

class Training : public testing::TestWithParam<std::string> {
 protected:
  static std::vector<Recipe> drawn() {
    std::vector<Recipe> all;
    for (std::uint64_t i = 0; i < 200; ++i) {
      SplitMix random(11, i);
      Recipe recipe = drawn_recipe(*find_generator(GetParam()), random);
      recipe.values.set("backward", 1);
      all.push_back(std::move(recipe));
    }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(Shapes, Training,
                         testing::Values("chain", "residual", "unet", "dense-blocks", "transformer", "lstm",
                                         "tree-lstm", "unrolled-gan", "layered-dag", "multi-output"),
                         [](const auto& shape) {
                           std::string name = shape.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

TEST_P(Training, NothingIsRematerializedAtThePeakAndMuchIsEvictedBelow) {
  RunSettings settings;
  PolicyError error;
  settings.policy = configure_policy("DTR", error);
  int evicting = 0;
  for (const Recipe& recipe : drawn()) {
    const Program program = program_of(recipe);
    const Bytes peak = peak_of(program);
    const RunResult at_peak = run(program, settings, peak);
    ASSERT_EQ(at_peak.outcome, Outcome::ok) << text_of(recipe);
    ASSERT_EQ(at_peak.measures.remats, 0) << text_of(recipe);
    evicting += run(program, settings, peak - 1).measures.evictions_by_policy > 0;
  }
  EXPECT_GE(evicting, 120);
}

// What is alive when the backward pass begins is there for its sake.
TEST_P(Training, TheBackwardPassUsesEverySavedActivation) {
  for (const Recipe& recipe : drawn()) {
    const Program program = program_of(recipe);
    std::vector<bool> alive(program.tensors().size(), false), used(alive), saved;
    OperatorId begin = 0;  // the last pass: unrolled steps have passes of their own before
    for (OperatorId op = 0; op < program.operators().size(); ++op)
      if (program.operator_name(op) == "ones_like") begin = op;
    ASSERT_GT(begin, 0u) << text_of(recipe);
    OperatorId next = 0;
    for (const Command& command : program.commands()) {
      if (command.kind == Command::Kind::release) alive[command.id] = false;
      if (command.kind != Command::Kind::issue) continue;
      const Operator& op = program.operators()[command.id];
      if (command.id == begin) saved = alive;
      if (command.id >= begin)
        for (TensorId a : program.arguments(command.id)) used[a] = true;
      for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) alive[t] = !op.constant;
      next = command.id + 1;
    }
    ASSERT_EQ(next, program.operators().size());
    std::size_t activations = 0;
    for (TensorId t = 0; t < saved.size(); ++t) {
      if (!saved[t]) continue;
      ASSERT_TRUE(used[t]) << text_of(recipe) << " tensor " << t << "\n" << listing(program);
      ++activations;
    }
    ASSERT_GE(activations, 2u) << text_of(recipe);
  }
}

TEST_P(Training, WithoutABackwardPassThereIsNone) {
  for (Recipe& recipe : drawn()) {
    recipe.values.set("backward", 0);
    const Program program = program_of(recipe);
    for (OperatorId op = 0; op < program.operators().size(); ++op)
      ASSERT_EQ(program.operator_name(op).find("_backward"), std::string::npos) << text_of(recipe);
  }
}

}  // namespace
}  // namespace pothole
