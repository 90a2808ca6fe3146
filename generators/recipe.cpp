// Recipes as text, and what they make.
#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/nearest_word.h"
#include "generators/generator.h"

namespace pothole {
namespace {

constexpr std::string_view kSeedKey = "seed";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Not more of a text than says what it is.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  return "'" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "") + "'";
}

std::string with_hint(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : "did you mean " + nearest + "? ";
}

std::string range_of(const GeneratorParameter& p) {
  if (p.names.empty()) return std::to_string(p.least) + " to " + std::to_string(p.most);
  std::string words;
  for (std::int64_t value = p.least; value <= p.most; ++value)
    words += (words.empty() ? "" : ", ") + std::string(p.names[static_cast<std::size_t>(value)]);
  return words;
}

std::string value_text(const GeneratorParameter& p, std::int64_t value) {
  return p.names.empty() ? std::to_string(value) : std::string(p.names[static_cast<std::size_t>(value)]);
}

std::optional<std::int64_t> value_of(const GeneratorParameter& p, std::string_view text) {
  for (std::size_t i = 0; i < p.names.size(); ++i)
    if (p.names[i] == text) return static_cast<std::int64_t>(i);
  return p.names.empty() ? number_of<std::int64_t>(text) : std::nullopt;
}

class RecipeReader {
 public:
  RecipeReader(Recipe& recipe, RecipeError& error) : recipe_(recipe), error_(error) {}

  // The keys that were set, in the order of the text.
  const std::vector<std::string>& keys_set() const { return seen_; }

  bool read(std::string_view settings) {
    while (true) {
      const std::size_t end = settings.find('&');
      if (!read_setting(settings.substr(0, end))) return false;
      if (end == std::string_view::npos) return true;
      settings.remove_prefix(end + 1);
    }
  }

 private:
  bool read_setting(std::string_view setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos)
      return refuse(quoted(setting) + " is not key=value", "write gen:NAME?key=value&key=value");
    const std::string key(setting.substr(0, equals));
    const std::string_view value = setting.substr(equals + 1);
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end())
      return refuse(quoted(key) + " is given twice", "give each parameter once");
    seen_.push_back(key);
    if (key == kSeedKey) return read_seed(value);
    for (const GeneratorParameter& p : recipe_.generator->parameters)
      if (p.key == key) return read_value(p, value);
    return refuse("generator " + std::string(recipe_.generator->name) + " has no parameter " + quoted(key),
                  with_hint(key, keys()) + "`pothole list generators` documents them all");
  }

  bool read_seed(std::string_view text) {
    const auto seed = number_of<std::uint64_t>(text);
    if (!seed) return refuse(quoted(text) + " is not a seed", "write a whole number from 0 to 2^64 - 1");
    recipe_.seed = *seed;
    return true;
  }

  bool read_value(const GeneratorParameter& p, std::string_view text) {
    const auto value = value_of(p, text);
    if (!value || *value < p.least || *value > p.most)
      return refuse(quoted(text) + " is no value of parameter " + std::string(p.key), "use " + range_of(p));
    recipe_.values.set(p.key, *value);
    return true;
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> all = {std::string(kSeedKey)};
    for (const GeneratorParameter& p : recipe_.generator->parameters) all.emplace_back(p.key);
    return all;
  }

  bool refuse(std::string what, std::string fix) {
    error_ = {std::move(what), std::move(fix)};
    return false;
  }

  Recipe& recipe_;
  RecipeError& error_;
  std::vector<std::string> seen_;
};

}  // namespace

bool is_recipe(std::string_view text) { return text.starts_with(kRecipePrefix); }

namespace {

const Generator* named_generator(std::string_view name, RecipeError& error) {
  if (const Generator* generator = find_generator(name)) return generator;
  std::vector<std::string> names;
  for (const Generator& g : generators()) names.emplace_back(g.name);
  error = {"there is no generator " + quoted(name),
           with_hint(std::string(name), names) + "`pothole list generators` shows them all"};
  return nullptr;
}

}  // namespace

bool read_recipe(std::string_view text, std::vector<Recipe>& into, RecipeError& error) {
  text.remove_prefix(kRecipePrefix.size());
  const std::size_t question = text.find('?');
  const Generator* generator = named_generator(text.substr(0, question), error);
  if (generator == nullptr) return false;
  Recipe recipe(*generator);
  if (question != std::string_view::npos && !RecipeReader(recipe, error).read(text.substr(question + 1))) return false;
  into.push_back(std::move(recipe));
  return true;
}

bool read_pattern(std::string_view text, RecipePattern& pattern, RecipeError& error) {
  if (is_recipe(text)) text.remove_prefix(kRecipePrefix.size());
  const std::size_t question = text.find('?');
  pattern = {named_generator(text.substr(0, question), error), {}};
  if (pattern.generator == nullptr) return false;
  if (question == std::string_view::npos) return true;
  Recipe recipe(*pattern.generator);
  RecipeReader reader(recipe, error);
  if (!reader.read(text.substr(question + 1))) return false;
  for (const std::string& key : reader.keys_set()) {
    if (key == kSeedKey) {
      error = {"a generator to draw from has no seed", "leave it out; --seed is the campaign's"};
      return false;
    }
  }
  for (const GeneratorParameter& p : pattern.generator->parameters) {
    const auto& set = reader.keys_set();
    if (std::find(set.begin(), set.end(), p.key) != set.end()) pattern.fixed.emplace_back(p.key, recipe.values[p.key]);
  }
  return true;
}

std::string text_of(const RecipePattern& pattern) {
  std::string text(pattern.generator->name);
  char separator = '?';
  for (const GeneratorParameter& p : pattern.generator->parameters) {
    for (const auto& [key, value] : pattern.fixed) {
      if (key != p.key) continue;
      text += separator + key + "=" + value_text(p, value);
      separator = '&';
    }
  }
  return text;
}

std::string text_of(const Recipe& recipe) {
  std::string text = std::string(kRecipePrefix) + std::string(recipe.generator->name);
  char separator = '?';
  const auto add = [&](std::string_view key, const std::string& value) {
    text += separator + std::string(key) + "=" + value;
    separator = '&';
  };
  for (const GeneratorParameter& p : recipe.generator->parameters)
    if (recipe.values[p.key] != p.standard) add(p.key, value_text(p, recipe.values[p.key]));
  if (recipe.seed != 0) add(kSeedKey, std::to_string(recipe.seed));
  return text;
}

void ProgramSizeLimit::refuse() {
  throw ProgramTooLarge("the program would have more than " + std::to_string(kOperatorsMost) + " operators or " +
                        std::to_string(kEdgesMost) + " edges between tensors");
}

Program program_of(const Recipe& recipe) {
  if (recipe.generator->operators != nullptr) {
    const std::int64_t count = recipe.generator->operators(recipe.values);
    if (count > static_cast<std::int64_t>(kOperatorsMost))
      throw ProgramTooLarge("the program would have " + std::to_string(count) + " operators, more than " +
                            std::to_string(kOperatorsMost));
  }
  SplitMix random(recipe.seed);
  return recipe.generator->make(recipe.values, random);
}

Recipe drawn_recipe(const RecipePattern& pattern, SplitMix& random) {
  Recipe recipe(*pattern.generator);
  for (const GeneratorParameter& p : pattern.generator->parameters)
    recipe.values.set(p.key, random.between(p.drawn_least, p.drawn_most));
  for (const auto& [key, value] : pattern.fixed) recipe.values.set(key, value);
  recipe.seed = random.next();
  return recipe;
}

Recipe drawn_recipe(const Generator& generator, SplitMix& random) {
  return drawn_recipe(RecipePattern{&generator, {}}, random);
}

}  // namespace pothole
