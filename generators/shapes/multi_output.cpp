// Operators with several outputs, whose siblings come back together when one of them is needed.
#include <algorithm>

#include "generators/network.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"

namespace pothole {
namespace {

using Value = Network::Value;

class MultiOutput {
 public:
  MultiOutput(const GeneratorValues& values, SplitMix& random)
      : network_(values, random), values_(values), random_(random), elements_(values["batch"] * values["channels"]) {}

  Program make() {
    spread(several({network_.input(elements_), network_.parameter(values_["channels"])}));
    for (std::int64_t i = 0; i < values_["operators"]; ++i) {
      // The loss takes what is left.
      while (live_.size() > kLiveMost)
        live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(random_.index_below(live_.size())));
      const std::int64_t kind = random_.between(0, 2);
      if (kind == 0) {
        spread(network_.split(taken(), values_["outputs"], /*views=*/false));
      } else if (kind == 1) {
        spread(several({taken(), network_.parameter(values_["channels"])}));
      } else {
        live_.push_back(fused(some_taken()));
      }
    }
    return training_step(network_, live_, values_);
  }

 private:
  // An operator with several outputs of any sizes, such as the gradient of a layer by all that it takes.
  std::vector<Value> several(std::vector<Value> arguments) {
    std::vector<Network::Output> outputs;
    for (std::int64_t i = 0; i < values_["outputs"]; ++i) {
      const Bytes bytes = network_.units().size(elements_);
      outputs.push_back({bytes, elements_});
    }
    const Cost cost = network_.units().cost(elements_ * values_["outputs"]);
    Value value = network_.issue("several", cost, std::move(arguments), outputs, {GradientRule::Way::joint, true});
    std::vector<Value> all;
    for (std::size_t i = 0; i < outputs.size(); ++i) all.push_back(value++);
    return all;
  }

  Value fused(std::vector<Value> arguments) {
    arguments.push_back(network_.parameter(values_["channels"]));
    const auto count = static_cast<std::int64_t>(arguments.size());
    return network_.layer("fused", std::move(arguments), elements_, elements_ * count);
  }

  void spread(const std::vector<Value>& values) { live_.insert(live_.end(), values.begin(), values.end()); }

  // It stays alive by chance, so that some siblings are long gone when others are used.
  Value taken() {
    const std::size_t place = random_.index_below(live_.size());
    const Value value = live_[place];
    if (live_.size() > 1 && random_.chance(70)) live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(place));
    return value;
  }

  std::vector<Value> some_taken() {
    std::vector<Value> some;
    for (std::int64_t i = random_.between(1, values_["outputs"]); i > 0; --i) {
      const Value value = taken();
      if (std::find(some.begin(), some.end(), value) == some.end()) some.push_back(value);
    }
    return some;
  }

  static constexpr std::size_t kLiveMost = 12;

  Network network_;
  const GeneratorValues& values_;
  SplitMix& random_;
  std::int64_t elements_;
  std::vector<Value> live_;
};

Program make(const GeneratorValues& values, SplitMix& random) { return MultiOutput(values, random).make(); }

}  // namespace

Generator multi_output_generator() {
  return {"multi-output",
          "operators with several outputs, of which some are needed early and others late",
          "",
          {{"operators", 16, 1, 10000, 2, 8, "of the forward pass, without the first"},
           {"outputs", 3, 2, 64, 2, 4, "of an operator that has several"},
           kBatch,
           kChannels,
           kUnits,
           kBackward,
           kUpdate},
          make};
}

}  // namespace pothole
