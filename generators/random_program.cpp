#include "generators/random_program.h"

#include <algorithm>
#include <stdexcept>

#include "engine/program_builder.h"
#include "generators/split_mix.h"

namespace pothole {
namespace {

// Sums stay below 2^56, so that even the clock of a run that thrashes at 60 times the model compute fits.
constexpr std::int64_t kLargestSum = std::int64_t{1} << 56;

class Maker {
 public:
  Maker(SplitMix& random, const ProgramKnobs& knobs) : random_(random), knobs_(knobs) {
    size_unit_ = random_.between(1, 4096);
    cost_unit_ = random_.between(1, 100000);
    percent_released_ = static_cast<int>(random_.between(10, 60));
  }

  Program make() {
    for (std::int64_t made = 0; made < knobs_.operators; ++made) {
      add_something();
      if (knobs_.gets && random_.chance(15)) get_something();
      while (knobs_.releases && random_.chance(percent_released_)) release_something();
    }
    if (knobs_.pins) pin_some();
    return builder_.finish();
  }

 private:
  std::int64_t quantity(Quantities kind, std::int64_t unit, std::int64_t& sum) {
    std::int64_t value = 0;
    switch (kind) {
      case Quantities::tiny:
        value = random_.between(0, 3);
        break;
      case Quantities::equal:
        value = unit;
        break;
      case Quantities::near_ties:
        value = unit * random_.between(1, 4) + (random_.chance(20) ? random_.between(-1, 1) : 0);
        break;
      case Quantities::ordinary:
        value = random_.chance(10) ? 0 : random_.between(1, 5000);
        break;
      case Quantities::large:
        value = (std::int64_t{1} << random_.between(40, 53)) + (random_.chance(50) ? random_.between(-3, 3) : 0);
        break;
    }
    value = std::min(value, kLargestSum - sum);
    sum += value;
    return value;
  }

  Bytes any_size() { return quantity(knobs_.sizes, size_unit_, size_sum_); }
  Cost any_cost() { return quantity(knobs_.costs, cost_unit_, cost_sum_); }

  TensorId any_tensor() {
    const auto count = static_cast<std::int64_t>(builder_.tensor_count());
    const std::int64_t window = knobs_.long_chains && !random_.chance(20) ? std::min<std::int64_t>(count, 3) : count;
    return static_cast<TensorId>(count - random_.between(1, window));
  }

  std::vector<TensorId> any_arguments() {
    std::vector<TensorId> arguments;
    if (builder_.tensor_count() == 0) return arguments;
    const std::int64_t wanted = random_.chance(8) ? 0 : random_.between(1, knobs_.arguments_max);
    for (std::int64_t tries = 0; tries < wanted; ++tries) {
      const TensorId t = any_tensor();
      const bool repeated = std::find(arguments.begin(), arguments.end(), t) != arguments.end();
      if (repeated && !knobs_.repeated_arguments) continue;
      if (builder_.references(t) == 0 && !knobs_.use_after_release) continue;
      arguments.push_back(t);
    }
    if (knobs_.repeated_arguments && !arguments.empty() && random_.chance(10)) arguments.push_back(arguments.front());
    return arguments;
  }

  std::vector<ProgramBuilder::Output> any_outputs(std::vector<TensorId>& arguments) {
    const bool several = knobs_.multiple_outputs && random_.chance(30);
    const std::int64_t count = several ? random_.between(2, 4) : 1;
    const bool aliasing = knobs_.aliases && !arguments.empty() && random_.chance(30);
    if (aliasing && !knobs_.crossing_aliases) arguments.erase(arguments.begin() + 1, arguments.end());
    std::vector<ProgramBuilder::Output> outputs;
    for (std::int64_t i = 0; i < count; ++i) {
      ProgramBuilder::Output output;
      if (aliasing && (i == 0 || random_.chance(50))) {
        output.alias = random_.between(0, static_cast<std::int64_t>(arguments.size()) - 1);
      } else {
        output.size = any_size();
      }
      outputs.push_back(output);
    }
    if (random_.chance(50)) std::reverse(outputs.begin(), outputs.end());
    return outputs;
  }

  void add_something() {
    if (knobs_.constants && random_.chance(10)) {
      check(builder_.add_constant(any_size(), ""));
      return;
    }
    std::vector<TensorId> arguments = any_arguments();
    if (knobs_.mutations && !arguments.empty() && random_.chance(12)) return mutate(arguments);
    std::vector<ProgramBuilder::Output> outputs = any_outputs(arguments);
    check(builder_.add_operator("", any_cost(), arguments, outputs));
  }

  void mutate(const std::vector<TensorId>& arguments) {
    std::vector<ProgramBuilder::Output> outputs;
    std::vector<TensorId> old;
    for (TensorId t : arguments) {
      const Bytes size = builder_.storage_size(t);
      if (std::find(old.begin(), old.end(), t) != old.end() || size > kLargestSum - size_sum_) continue;
      old.push_back(t);
      size_sum_ += size;
      outputs.push_back({size, ProgramBuilder::Output::kFresh, ""});
    }
    if (outputs.empty()) return;
    check(builder_.add_operator("", any_cost(), arguments, outputs));
    for (TensorId t : old)
      if (builder_.references(t) > 0) check(builder_.release(t));
  }

  void get_something() {
    if (builder_.tensor_count() == 0) return;
    const TensorId t = any_tensor();
    if (builder_.storage_references(t) > 0) check(builder_.get(t));
  }

  void release_something() {
    if (builder_.tensor_count() == 0) return;
    const TensorId t = any_tensor();
    if (builder_.references(t) > 0) check(builder_.release(t));
  }

  void pin_some() {
    for (TensorId t = 0; t < builder_.tensor_count(); ++t)
      if (builder_.references(t) > 0 || random_.chance(3)) check(builder_.pin(t));
  }

  static void check(const std::optional<BuildError>& error) {
    if (error) throw std::logic_error("the generator made an invalid program: " + error->what);
  }

  SplitMix& random_;
  const ProgramKnobs& knobs_;
  ProgramBuilder builder_;
  Bytes size_unit_ = 0, size_sum_ = 0;
  Cost cost_unit_ = 0, cost_sum_ = 0;
  int percent_released_ = 0;
};

}  // namespace

ProgramKnobs swarm_knobs(std::uint64_t seed, std::int64_t operators) {
  SplitMix random(seed ^ 0x5ca1ab1eu);
  ProgramKnobs knobs;
  knobs.operators = operators;
  knobs.arguments_max = random.between(1, 4);
  for (bool* feature :
       {&knobs.multiple_outputs, &knobs.aliases, &knobs.crossing_aliases, &knobs.constants, &knobs.repeated_arguments,
        &knobs.gets, &knobs.releases, &knobs.use_after_release, &knobs.mutations, &knobs.pins, &knobs.long_chains})
    *feature = random.chance(60);
  knobs.sizes = static_cast<Quantities>(random.between(0, 4));
  knobs.costs = static_cast<Quantities>(random.between(0, 4));
  return knobs;
}

Program random_program(SplitMix& random, const ProgramKnobs& knobs) { return Maker(random, knobs).make(); }

Program random_program(std::uint64_t seed, const ProgramKnobs& knobs) {
  SplitMix random(seed);
  return random_program(random, knobs);
}

Program random_program(std::uint64_t seed, std::int64_t operators) {
  return random_program(seed, swarm_knobs(seed, operators));
}

}  // namespace pothole
