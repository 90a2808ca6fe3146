#include "generators/registry.h"

#include <algorithm>
#include <stdexcept>

namespace pothole {

std::span<const Generator> generators() {
  static const std::vector<Generator> all = {
#define POTHOLE_GENERATOR(name) name##_generator(),
#include "generators/generators.def"
#undef POTHOLE_GENERATOR
  };
  return all;
}

const Generator* find_generator(std::string_view name) {
  for (const Generator& generator : generators())
    if (generator.name == name) return &generator;
  return nullptr;
}

GeneratorValues::GeneratorValues(const Generator& generator) : generator_(&generator) {
  for (const GeneratorParameter& p : generator.parameters) values_.push_back(p.standard);
}

bool GeneratorValues::has(std::string_view key) const {
  const auto& parameters = generator_->parameters;
  return std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.key == key; });
}

std::size_t GeneratorValues::place_of(std::string_view key) const {
  const auto& parameters = generator_->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].key == key) return i;
  throw std::logic_error("a generator reads a parameter that it does not declare: " + std::string(key));
}

}  // namespace pothole
