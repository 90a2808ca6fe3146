#include "generators/rapidcheck.h"

#include <rapidcheck.h>

#include <ostream>

namespace pothole {
namespace {

// Every parameter on its own towards its least value, the boldest step first.
rc::Seq<Recipe> smaller(const Recipe& recipe) {
  rc::Seq<Recipe> all;
  for (const GeneratorParameter& p : recipe.generator->parameters) {
    const auto with = [recipe, key = p.key](std::int64_t value) {
      Recipe changed = recipe;
      changed.values.set(key, value);
      return changed;
    };
    all = rc::seq::concat(std::move(all), rc::seq::map(rc::shrink::towards(recipe.values[p.key], p.least), with));
  }
  return all;
}

rc::Gen<Recipe> recipes_of(std::span<const Generator> choice) {
  return [choice](const rc::Random& source, int) {
    rc::Random random = source;
    SplitMix drawing(random.next());
    return rc::shrinkable::shrinkRecur(drawn_recipe(drawing.pick(choice), drawing), &smaller);
  };
}

}  // namespace

rc::Gen<Recipe> recipes(const Generator& generator) { return recipes_of({&generator, 1}); }
rc::Gen<Recipe> recipes() { return recipes_of(generators()); }

rc::Gen<Program> programs(const Generator& generator) {
  return rc::gen::map(recipes(generator), [](const Recipe& recipe) { return program_of(recipe); });
}
rc::Gen<Program> programs() {
  return rc::gen::map(recipes(), [](const Recipe& recipe) { return program_of(recipe); });
}

void showValue(const Recipe& recipe, std::ostream& out) { out << text_of(recipe); }

}  // namespace pothole
