// A generator trained through optimization steps of its discriminator: gradients of gradients.
#include "generators/network.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

using Value = Network::Value;

class UnrolledGan {
 public:
  UnrolledGan(const GeneratorValues& values, SplitMix& random)
      : network_(values, random), values_(values), batch_(values["batch"]), width_(values["channels"]) {}

  Program make() {
    const std::vector<Value> generator = weights();
    std::vector<Value> discriminator = weights();
    const Value noise = network_.input(batch_ * width_);
    const Value real = network_.input(batch_ * width_);
    const Value fake = perceptron(noise, generator);
    // With the backward pass only: there are no steps without gradients.
    if (values_.on("backward"))
      for (std::int64_t i = 0; i < values_["steps"]; ++i) discriminator = stepped(discriminator, real, fake);
    return training_step(network_, {perceptron(fake, discriminator)}, values_);
  }

 private:
  std::vector<Value> weights() {
    std::vector<Value> all;
    for (std::int64_t i = 0; i < values_["layers"]; ++i) all.push_back(network_.parameter(width_ * width_));
    return all;
  }

  Value perceptron(Value x, const std::vector<Value>& weights) {
    for (Value w : weights) {
      const std::int64_t elements = batch_ * width_;
      x = network_.pointwise("tanh", network_.product("mm", x, w, elements, elements * width_));
    }
    return x;
  }

  // The weights after a step of gradient descent, as functions of those before it.
  std::vector<Value> stepped(const std::vector<Value>& weights, Value real, Value fake) {
    const Value of_real = perceptron(real, weights);
    const Value of_fake = perceptron(fake, weights);
    const std::vector<Value> gradients = network_.gradients(network_.loss({of_real, of_fake}), weights);
    std::vector<Value> next;
    for (std::size_t i = 0; i < weights.size(); ++i) next.push_back(network_.sum(weights[i], gradients[i]));
    return next;
  }

  Network network_;
  const GeneratorValues& values_;
  std::int64_t batch_, width_;
};

Program make(const GeneratorValues& values, SplitMix& random) { return UnrolledGan(values, random).make(); }

std::int64_t operators(const GeneratorValues& values) {
  const std::int64_t layers = values["layers"], steps = values.on("backward") ? values["steps"] : 0;
  const std::int64_t perceptron = 2 * layers, weights = 2 * layers;
  // Its forward operators, their gradients, and those of all of them again.
  const std::int64_t step_forward = 12 * layers + 1, step_gradients = 26 * layers - 9;
  const std::int64_t forward = 2 + weights + 2 * perceptron + steps * step_forward;
  const std::int64_t gradients = 6 * layers - 1 + steps * step_gradients;
  return training_operators(forward, weights, gradients, values);
}

}  // namespace

Generator unrolled_gan_generator() {
  return {"unrolled-gan",
          "a generator trained through unrolled steps of its discriminator: a backward pass through backward passes",
          "Metz et al., Unrolled generative adversarial networks, ICLR 2017",
          {{"steps", 2, 0, 500, 0, 1, "of the discriminator"},
           {"layers", 2, 1, 64, 1, 1, "of the generator, and of the discriminator"},
           kBatch,
           kChannels,
           kUnits,
           kBackward,
           kUpdate},
          make,
          operators};
}

}  // namespace pothole
