#include "cli/recipe_trace.h"

#include <sstream>

#include "corpus/input_error.h"
#include "corpus/sha256.h"
#include "generators/generator.h"

namespace pothole {
namespace {

constexpr std::size_t kLongestShown = 200;  // of a text that is no recipe, and may be anything

Program program_for(const Recipe& recipe, const std::string& text) {
  try {
    return program_of(recipe);
  } catch (const ProgramTooLarge& error) {
    throw InputError(text, error.what(), "make its parameters smaller");
  }
}

}  // namespace

Trace read_recipe_trace(const std::string& text) {
  std::vector<Recipe> recipes;
  RecipeError error;
  if (!read_recipe(text, recipes, error)) throw InputError(text.substr(0, kLongestShown), error.what, error.fix);
  Trace trace;
  trace.name = text_of(recipes[0]);
  trace.program = program_for(recipes[0], text);
  std::ostringstream native;
  write_trace(native, trace);
  Sha256 hash;
  hash.add(native.str());
  trace.sha256 = hash.hex();
  return trace;
}

}  // namespace pothole
