// What holds of every generator of the list.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <sstream>

#include "corpus/trace.h"
#include "engine/draft.h"
#include "engine/run.h"
#include "generators/rapidcheck.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

std::string name_of_test(const testing::TestParamInfo<const Generator*>& info) {
  std::string name(info.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

std::vector<const Generator*> all_generators() {
  std::vector<const Generator*> all;
  for (const Generator& generator : generators()) all.push_back(&generator);
  return all;
}

// Parameters that cost no operators, but make sizes and costs larger.
bool in_quantity(std::string_view key) {
  constexpr std::string_view kKeys[] = {"batch", "channels", "extent", "growth", "tokens", "sizes", "costs", "bits"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

class Shapes : public testing::TestWithParam<const Generator*> {
 protected:
  static constexpr int kDraws = 250;

  std::vector<Recipe> drawn() const {
    std::vector<Recipe> all;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      SplitMix random(2026, i);
      all.push_back(drawn_recipe(*GetParam(), random));
    }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(List, Shapes, testing::ValuesIn(all_generators()), name_of_test);

TEST_P(Shapes, MakeTheSameProgramTwice) {
  for (const Recipe& recipe : drawn())
    ASSERT_EQ(native_text(program_of(recipe)), native_text(program_of(recipe))) << text_of(recipe);
}

// The reader of traces checks everything anew.
TEST_P(Shapes, AreValidTraces) {
  for (const Recipe& recipe : drawn()) {
    const Program program = program_of(recipe);
    const std::string text = native_text(program);
    std::istringstream in(text);
    ASSERT_EQ(native_text(read_trace(in, "again").program), text) << text_of(recipe);
    BuildError error;
    const auto again = program_of(draft_of(program), &error);
    ASSERT_TRUE(again) << text_of(recipe) << ": " << error.what;
    ASSERT_EQ(native_text(*again), text) << text_of(recipe);
  }
}

TEST_P(Shapes, TextOfARecipeIsReadBack) {
  for (const Recipe& recipe : drawn()) {
    std::vector<Recipe> read;
    RecipeError error;
    ASSERT_TRUE(read_recipe(text_of(recipe), read, error)) << text_of(recipe) << ": " << error.what;
    ASSERT_EQ(read, std::vector<Recipe>{recipe});
    ASSERT_EQ(text_of(read[0]), text_of(recipe));
  }
}

TEST_P(Shapes, CompleteWithTheirPeak) {
  for (const Recipe& recipe : drawn()) {
    const Program program = program_of(recipe);
    RunSettings settings;
    PolicyError error;
    settings.policy = configure_policy("DTR", error);
    const RunResult result = run(program, settings, peak_of(program));
    ASSERT_EQ(result.outcome, Outcome::ok) << text_of(recipe);
    ASSERT_EQ(result.measures.evictions_by_policy, 0) << text_of(recipe);
  }
}

TEST_P(Shapes, ThatCampaignsDrawAreMostlySmall) {
  int fitting = 0;
  for (const Recipe& recipe : drawn()) {
    const std::size_t operators = program_of(recipe).operators().size();
    fitting += operators >= 4 && operators <= 75;
    EXPECT_LE(operators, 200u) << text_of(recipe);
  }
  EXPECT_GE(fitting, kDraws * 3 / 4);
}

TEST_P(Shapes, OfStandardValuesAreLikeSmallNetworks) {
  const std::size_t operators = program_of(Recipe(*GetParam())).operators().size();
  const bool structured = GetParam()->name != "random" && GetParam()->name != "all";
  EXPECT_GE(operators, structured ? 30u : 4u);
  EXPECT_LE(operators, 300u);
}

TEST_P(Shapes, HaveSensibleRanges) {
  for (const GeneratorParameter& p : GetParam()->parameters) {
    EXPECT_LE(p.least, p.drawn_least) << p.key;
    EXPECT_LE(p.drawn_least, p.drawn_most) << p.key;
    EXPECT_LE(p.drawn_most, p.most) << p.key;
    EXPECT_TRUE(p.least <= p.standard && p.standard <= p.most) << p.key;
    EXPECT_TRUE(p.names.empty() || (p.least == 0 && p.most + 1 == static_cast<std::int64_t>(p.names.size()))) << p.key;
    EXPECT_FALSE(p.help.empty()) << p.key;
  }
}

// Each parameter alone at both ends, and all sizes and counts that cost no operators at their ends together: the
// builder refuses sums past its limits, and with it the shape.
TEST_P(Shapes, KeepTheLimitsAtEveryCorner) {
  const auto make = [](const Recipe& recipe) {
    try {
      EXPECT_GT(program_of(recipe).operators().size(), 0u) << text_of(recipe);
    } catch (const ProgramTooLarge&) {
      ADD_FAILURE() << "one parameter alone: " << text_of(recipe);
    }
  };
  for (const GeneratorParameter& p : GetParam()->parameters) {
    for (const std::int64_t value : {p.least, p.most}) {
      Recipe recipe(*GetParam());
      recipe.values.set(p.key, value);
      make(recipe);
    }
  }
  Recipe heavy(*GetParam());
  for (const GeneratorParameter& p : GetParam()->parameters)
    if (in_quantity(p.key)) heavy.values.set(p.key, p.most);
  make(heavy);
}

// At all sides of what is drawn, and at some of what may be asked for.
TEST_P(Shapes, HaveTheOperatorsThatAreToldBeforehand) {
  if (GetParam()->operators == nullptr) return;  // nothing is told
  const auto compare = [&](const Recipe& recipe) {
    ASSERT_EQ(static_cast<std::int64_t>(program_of(recipe).operators().size()), GetParam()->operators(recipe.values))
        << text_of(recipe);
  };
  for (const Recipe& recipe : drawn()) compare(recipe);
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    SplitMix random(7, i);
    Recipe recipe(*GetParam());
    for (const GeneratorParameter& p : GetParam()->parameters)
      recipe.values.set(p.key, random.between(p.least, std::min<std::int64_t>(p.most, p.least + 6)));
    compare(recipe);
  }
}

// All that makes operators at its most together: what is too much is refused by its parameters, nothing made; and a
// generator that tells nothing keeps the limit, or has too many edges long before it has so many operators.
TEST_P(Shapes, OfTooManyOperatorsAreRefusedBeforeTheyAreMade) {
  Recipe recipe(*GetParam());
  for (const GeneratorParameter& p : GetParam()->parameters)
    if (!in_quantity(p.key)) recipe.values.set(p.key, p.most);
  if (GetParam()->operators != nullptr) {
    EXPECT_GT(GetParam()->operators(recipe.values), static_cast<std::int64_t>(kOperatorsMost));
    Generator untouched = *GetParam();
    untouched.make = [](const GeneratorValues&, SplitMix&) -> Program { throw std::logic_error("it was made"); };
    recipe.generator = &untouched;
    EXPECT_THROW(program_of(recipe), ProgramTooLarge) << text_of(recipe);
    return;
  }
  try {
    EXPECT_LE(program_of(recipe).operators().size(), kOperatorsMost) << text_of(recipe);
  } catch (const ProgramTooLarge& error) {
    EXPECT_EQ(GetParam()->name, "layered-dag") << error.what();
  }
}

// Too many operators, or too many edges between few of them.
TEST(ShapesOfTooMuch, AreRefused) {
  for (const char* text :
       {"gen:residual?stages=8&blocks=1000&depth=64", "gen:lstm?steps=2000&layers=64",
        "gen:unrolled-gan?steps=500&layers=64", "gen:layered-dag?layers=500&width=64&density=100&reach=64"}) {
    std::vector<Recipe> read;
    RecipeError error;
    ASSERT_TRUE(read_recipe(text, read, error)) << text << ": " << error.what;
    EXPECT_THROW(program_of(read[0]), ProgramTooLarge) << text;
  }
}

TEST(RapidCheckGenerators, StayInTheDrawnRangesAndShrinkToTheLeast) {
  for (const Generator& generator : generators()) {
    const rc::Shrinkable<Recipe> first = recipes(generator)(rc::Random(7), rc::kNominalSize);
    const Recipe recipe = first.value();
    for (const GeneratorParameter& p : generator.parameters) {
      EXPECT_GE(recipe.values[p.key], p.drawn_least) << generator.name;
      EXPECT_LE(recipe.values[p.key], p.drawn_most) << generator.name;
    }
    // Always the first shrink: the end of the path has every parameter at its least value.
    rc::Shrinkable<Recipe> now = first;
    for (auto next = now.shrinks().next(); next; next = now.shrinks().next()) now = *next;
    for (const GeneratorParameter& p : generator.parameters)
      EXPECT_EQ(now.value().values[p.key], p.least) << generator.name << " " << p.key;
    EXPECT_EQ(now.value().seed, recipe.seed);
  }
}

TEST(RapidCheckGenerators, MakeProgramsOfAnyShape) {
  EXPECT_TRUE(rc::check("programs are made of drawn recipes", [] {
    const Program program = *programs();
    RC_ASSERT(!program.operators().empty());
    RC_ASSERT(peak_of(program) <= program.total_size());
  }));
  std::ostringstream shown;
  showValue(Recipe(*find_generator("unet")), shown);
  EXPECT_EQ(shown.str(), "gen:unet");
}

}  // namespace
}  // namespace pothole
