// What makes programs: a constant record of a shape, with parameters, and one pure function.
//
// A recipe is a shape with its parameters set and a seed; it makes the same program on every machine, and its text,
// `gen:unet?depth=4&batch=8&seed=7`, stands wherever a trace can. Adding a shape: one file in generators/shapes/ and
// one line in generators/generators.def.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/program.h"
#include "generators/split_mix.h"

namespace pothole {

struct GeneratorParameter {
  std::string_view key;
  std::int64_t standard = 0;
  std::int64_t least = 0, most = 0;              // what may be asked for
  std::int64_t drawn_least = 0, drawn_most = 0;  // what a campaign draws from, each as likely
  std::string_view help;
  // Where values are words: number i is written names[i].
  std::span<const std::string_view> names = {};
};

struct Generator;

// The values of all parameters of a generator, in their order.
class GeneratorValues {
 public:
  explicit GeneratorValues(const Generator& generator);  // the standard ones

  // The key is one of the generator's.
  std::int64_t operator[](std::string_view key) const { return values_[place_of(key)]; }
  bool on(std::string_view key) const { return (*this)[key] != 0; }
  void set(std::string_view key, std::int64_t value) { values_[place_of(key)] = value; }
  bool has(std::string_view key) const;

  friend bool operator==(const GeneratorValues& a, const GeneratorValues& b) { return a.values_ == b.values_; }

 private:
  std::size_t place_of(std::string_view key) const;

  const Generator* generator_;
  std::vector<std::int64_t> values_;
};

struct Generator {
  std::string_view name;
  std::string_view sentence;  // what its programs look like
  std::string_view source;    // of the shape, where it was published; or empty
  std::vector<GeneratorParameter> parameters;
  Program (*make)(const GeneratorValues& values, SplitMix& random) = nullptr;
  // The number of operators that `make` makes of the values, exactly, so that too many are refused before the first is
  // made. Every generator has it whose parameters can ask for more than kOperatorsMost.
  std::int64_t (*operators)(const GeneratorValues& values) = nullptr;
};

// All generators, in the order of the list in generators/generators.def.
std::span<const Generator> generators();

// Exact spelling; null if there is none.
const Generator* find_generator(std::string_view name);

struct Recipe {
  const Generator* generator;
  GeneratorValues values;
  std::uint64_t seed = 0;

  explicit Recipe(const Generator& g) : generator(&g), values(g) {}
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

inline constexpr std::string_view kRecipePrefix = "gen:";
bool is_recipe(std::string_view text);

struct RecipeError {
  std::string what;
  std::string fix;
};

// Reads gen:NAME?key=value&key=value, where all that is left out is standard and the seed 0. On error returns false,
// and `error` names the nearest known word or the range there is.
bool read_recipe(std::string_view text, std::vector<Recipe>& into, RecipeError& error);

// What a campaign draws from: a generator, some of whose parameters are fixed.
struct RecipePattern {
  const Generator* generator = nullptr;
  std::vector<std::pair<std::string, std::int64_t>> fixed;  // in their order
};

// Reads NAME?key=value&key=value, where what is left out is drawn. There is no seed.
bool read_pattern(std::string_view text, RecipePattern& pattern, RecipeError& error);
std::string text_of(const RecipePattern& pattern);

// Canonical: all parameters that are not standard in their order, then the seed if it is not 0.
std::string text_of(const Recipe& recipe);

// Larger programs are not made.
inline constexpr std::size_t kOperatorsMost = 1'000'000;
inline constexpr std::size_t kEdgesMost = 10'000'000;  // pairs of an argument and an output of one operator

// The parameters together ask for more.
struct ProgramTooLarge : std::runtime_error {
  explicit ProgramTooLarge(const std::string& what) : std::runtime_error(what) {}
};

// Counts operators on their way into a program.
class ProgramSizeLimit {
 public:
  // Throws ProgramTooLarge.
  void count(std::size_t arguments, std::size_t outputs) {
    edges_ += arguments * outputs;
    if (++operators_ > kOperatorsMost || edges_ > kEdgesMost) refuse();
  }

 private:
  [[noreturn]] static void refuse();

  std::size_t operators_ = 0, edges_ = 0;
};

// Throws ProgramTooLarge.
Program program_of(const Recipe& recipe);

// Swarm style: every parameter that is not fixed drawn from the values that campaigns use, and a seed.
Recipe drawn_recipe(const RecipePattern& pattern, SplitMix& random);
Recipe drawn_recipe(const Generator& generator, SplitMix& random);

}  // namespace pothole
