// Networks as a framework records them: operators with the rule of their gradients, from which the gradients follow
// as further operators, and a program that releases every tensor once nothing needs it any more.
//
// Values are released after the last operator that takes them. Of an activation that is the last one of the forward
// pass, or the gradient operator that it is saved for; of an incoming gradient the operator that hands it on; the loss
// lives to the end. Gradient operators have rules themselves, so there are gradients of gradients.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/program.h"
#include "generators/units.h"

namespace pothole {

struct GradientRule {
  enum class Way : std::uint8_t {
    none,   // no gradient reaches the arguments
    pass,   // each gets the incoming gradient itself, as those of a sum do
    view,   // a view of the incoming gradient
    apart,  // one operator for each argument, which takes the others, as for a product
    joint,  // one operator with an output for each argument
  };
  Way way = Way::none;
  bool saves_arguments = false;
  std::vector<std::uint32_t> saved_outputs = {};
};

class Network {
 public:
  using Value = std::uint32_t;

  struct Output {
    static constexpr std::int64_t kFresh = -1;
    Bytes size = 0;
    std::int64_t elements = 0;    // decides the cost of what touches it
    std::int64_t alias = kFresh;  // or the place of the argument that it is a view of
  };

  // Reads `units`.
  Network(const GeneratorValues& values, SplitMix& random) : units_(values, random) {}

  Value input(std::int64_t elements);
  Value parameter(std::int64_t elements);

  // Any operator; returns its first output, the others follow. Throws ProgramTooLarge.
  Value issue(std::string name, Cost cost, std::vector<Value> arguments, const std::vector<Output>& outputs,
              GradientRule rule);

  // With the arguments saved; `work` in multiplications.
  Value layer(std::string name, std::vector<Value> arguments, std::int64_t elements, std::int64_t work);
  Value product(std::string name, Value a, Value b, std::int64_t elements, std::int64_t work);
  // Of the size of the argument, with the result saved.
  Value pointwise(std::string name, Value x);
  Value softmax(Value x) { return pointwise("softmax", x); }
  Value hadamard(Value a, Value b);
  Value sum(Value a, Value b);
  // Scaled and shifted by two parameters of so many elements; its statistics are saved with the argument.
  Value normalized(Value x, std::int64_t channels);
  Value view(std::string name, Value x);
  Value concat(std::vector<Value> values);
  // Into views, or tensors of their own, as equal as they can be.
  std::vector<Value> split(Value x, std::int64_t parts, bool views = true);
  Value loss(std::vector<Value> of);

  // Issues the gradient of `loss` by each of the values; what does not depend on them keeps away from it. The place of
  // one that the loss does not depend on is kNone.
  std::vector<Value> gradients(Value loss, std::span<const Value> by);

  // Writes into the value: what the parameter was is released, a fresh value of its size stands for it.
  Value updated(Value parameter, Value gradient);

  void keep(Value value) { values_[value].kept = true; }  // an output of the program
  void hold(Value value) { values_[value].held = true; }  // released at the very end

  const std::vector<Value>& parameters() const { return parameters_; }
  Bytes size(Value value) const { return values_[value].size; }
  std::int64_t elements(Value value) const { return values_[value].elements; }
  Units& units() { return units_; }

  Program program() const;

 private:
  friend class GradientPass;

  struct Operator {
    std::string name;
    Cost cost = 0;
    std::vector<Value> arguments;
    Value first = 0;
    std::uint32_t count = 1;
    GradientRule rule;
    bool constant = false;
  };
  struct Entry {
    std::uint32_t op = 0;
    Bytes size = 0;
    std::int64_t elements = 0;
    std::int64_t alias = Output::kFresh;
    bool kept = false, held = false;
  };

  Value constant(std::string name, Bytes size, std::int64_t elements);

  Units units_;
  ProgramSizeLimit limit_;
  std::vector<Operator> operators_;
  std::vector<Entry> values_;
  std::vector<Value> parameters_;
};

// What all training shapes end with. Reads `backward` and `update`: the program keeps the outputs, or has their loss
// and the gradients of all parameters, kept or added to the parameters.
Program training_step(Network& network, std::vector<Network::Value> outputs, const GeneratorValues& values);

// The operators of a program that training_step makes, told beforehand: `forward` counts inputs and parameters too,
// `gradients` what the backward pass has between the gradient of the loss and those of the parameters, all of which
// the loss depends on.
std::int64_t training_operators(std::int64_t forward, std::int64_t parameters, std::int64_t gradients,
                                const GeneratorValues& values);

}  // namespace pothole
