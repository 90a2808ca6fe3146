// Views and writes in place, in the way logs record them: what is written into is a fresh output of the size of the
// whole storage, and the reference to the old tensor is released while views of it may live on.
#include <algorithm>

#include "generators/checked_builder.h"
#include "generators/network_parameters.h"
#include "generators/registry.h"
#include "generators/units.h"

namespace pothole {
namespace {

class Views {
 public:
  Views(const GeneratorValues& values, SplitMix& random)
      : values_(values), random_(random), units_(values, random), elements_(values["batch"] * values["channels"]) {}

  Program make() {
    live_.push_back(builder_.constant(units_.size(elements_), ""));
    for (std::int64_t i = 0; i < values_["operators"]; ++i) {
      const std::int64_t dice = random_.between(1, 100);
      if (dice <= values_["views"]) {
        add_view();
      } else if (dice <= values_["views"] + values_["mutations"]) {
        mutate();
      } else {
        compute();
      }
      while (live_.size() > 2 && random_.chance(45)) drop(random_.index_below(live_.size()));
    }
    while (live_.size() > 2) drop(random_.index_below(live_.size()));
    builder_.pin_referenced();
    return builder_.finish();
  }

 private:
  TensorId any() { return random_.pick<TensorId>(live_); }

  void compute() {
    std::vector<TensorId> arguments = {any()};
    if (random_.chance(50)) arguments.push_back(any());
    const Bytes bytes = units_.size(elements_);
    const Cost cost = units_.cost(elements_ * values_["channels"]);
    live_.push_back(builder_.compute("compute", cost, std::move(arguments), bytes));
  }

  // Views of views as well; a crossing one takes a second tensor, which may lie in another storage.
  void add_view() {
    std::vector<TensorId> arguments = {any()};
    if (values_.on("crossing") && random_.chance(50)) arguments.push_back(any());
    const auto base = static_cast<std::int64_t>(random_.index_below(arguments.size()));
    live_.push_back(builder_.issue("view", units_.cost(1), std::move(arguments), {{0, base, ""}}));
  }

  void mutate() {
    const std::size_t place = random_.index_below(live_.size());
    const TensorId old = live_[place];
    std::vector<TensorId> arguments = {old};
    if (random_.chance(50)) arguments.push_back(any());
    const Cost cost = units_.cost(elements_);
    live_[place] = builder_.compute("write", cost, std::move(arguments), builder_.storage_size(old));
    builder_.release(old);
  }

  void drop(std::size_t place) {
    builder_.release(live_[place]);
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  const GeneratorValues& values_;
  SplitMix& random_;
  Units units_;
  std::int64_t elements_;
  CheckedBuilder builder_;
  std::vector<TensorId> live_;
};

Program make(const GeneratorValues& values, SplitMix& random) { return Views(values, random).make(); }

}  // namespace

Generator views_generator() {
  return {"views",
          "views of views and writes in place, whose old storages live as long as a view of them does",
          "",
          {{"operators", 40, 1, 100000, 6, 30, "without the input"},
           {"views", 35, 0, 100, 10, 60, "share of views, in percent"},
           {"mutations", 25, 0, 100, 0, 40, "share of writes in place, in percent, after that of views"},
           {"crossing", 0, 0, 1, 0, 1, "1: views may take a tensor of another storage, as no framework's do"},
           kBatch,
           kChannels,
           kUnits},
          make};
}

}  // namespace pothole
