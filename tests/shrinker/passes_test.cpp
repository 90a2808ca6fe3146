// What holds of every shrink pass of the list, and an example of each.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "corpus/trace.h"
#include "generators/random_program.h"
#include "shrinker/pass.h"
#include "tests/support/native_text.h"

namespace pothole {
namespace {

std::vector<const Pass*> all_passes() {
  std::vector<const Pass*> all;
  for (const Pass& pass : passes()) all.push_back(&pass);
  return all;
}

std::string name_of_test(const testing::TestParamInfo<const Pass*>& info) {
  std::string name(info.param->name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

Holed holed(const Program& program) {
  Holed h;
  h.draft = draft_of(program);
  h.near = {100, 200, 300};
  h.failing = static_cast<OperatorId>(program.operators().size() / 2);
  return h;
}

class Passes : public testing::TestWithParam<const Pass*> {};

INSTANTIATE_TEST_SUITE_P(List, Passes, testing::ValuesIn(all_passes()), name_of_test);

TEST_P(Passes, MakeValidProgramsOfEveryPieceAndSayWhetherTheyChangedAnything) {
  const Pass& pass = *GetParam();
  std::size_t pieces = 0, changed = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Program program = random_program(seed, static_cast<std::int64_t>(1 + seed % 14));
    const Holed before = holed(program);
    const std::size_t count = pass.count(before);
    for (std::size_t piece = 0; piece < count; ++piece) {
      Holed after = before;
      const bool says_changed = pass.apply(after, piece, piece + 1);
      mend(after.draft);
      BuildError error;
      const auto made = program_of(after.draft, &error);
      ASSERT_TRUE(made) << "seed " << seed << " piece " << piece << ": " << error.what;
      ++pieces;
      changed += native_text(*made) != native_text(program);
      ASSERT_TRUE(says_changed || native_text(*made) == native_text(program)) << "seed " << seed << " piece " << piece;
    }
  }
  EXPECT_GT(pieces, 50U);
  EXPECT_GT(2 * changed, pieces) << "most edits should change something";
}

TEST_P(Passes, EditNeighbouringPiecesTogetherIfTheySaySo) {
  const Pass& pass = *GetParam();
  if (!pass.in_runs) return;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Program program = random_program(seed, 16);
    const Holed before = holed(program);
    const std::size_t count = pass.count(before);
    for (std::size_t length = 1; length <= count; length *= 2)
      for (std::size_t first = 0; first < count; first += length) {
        Holed after = before;
        pass.apply(after, first, std::min(count, first + length));
        mend(after.draft);
        BuildError error;
        ASSERT_TRUE(program_of(after.draft, &error)) << "seed " << seed << ": " << error.what;
      }
  }
}

TEST_P(Passes, FindNothingInAnEmptyProgram) {
  const Holed empty;
  EXPECT_EQ(GetParam()->count(empty), 0U);
}

// Operators in the native format, and what the last piece makes of them.
struct Example {
  std::string pass, before, after;
  OperatorId failing = 0;
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"cut", R"(a 3 =5 | b 4 =6 a | c 1 =1 b)", R"(a 3 =5 | b 4 =6 a)", 1},
      {"components", R"(a 3 =5 | b 4 =6 | c 1 =1 b)", R"(a 3 =5)"},
      {"dead-outputs", R"(a 3 =5 | b 4 =6 a | c 1 =1 a)", R"(a 3 =5 | b 4 =6 a)"},
      {"dependents", R"(a 3 =5 | b 4 =6 | c 1 =1 b)", R"(a 3 =5 | b 4 =6)"},
      {"operators", R"(a 3 =5 | b 4 =6 a | c 1 =1 b)", R"(a 3 =5 | b 4 =6 a)"},
      {"splice", R"(a 3 =5 | b 4 =6 a | c 1 =1 b)", R"(a 3 =5 | b 4 =6 a)"},
      {"twins", R"(a 3 =5 | b 4 =6 a | c 1 =1 a | d 1 =1 c)", R"(a 3 =5 | b 4 =6 a | d 1 =1 b)"},
      {"chains", R"(a 3 =5 | b 4 =6 a | c 1 =1 b)", R"(a 3 =5 | c 5 =1 a)"},
      {"arguments", R"(a 3 =5 | b 4 =6 | c 1 =1 a b)", R"(a 3 =5 | b 4 =6 | c 1 =1 a)"},
      {"sizes-divided", R"(a 3 =6 | b 4 =10 a)", R"(a 3 =1 | b 4 =1 a)"},
      {"sizes-rounded", R"(a 3 =67 | b 4 =103 a)", R"(a 3 =60 | b 4 =100 a)"},
      {"sizes-to-one", R"(a 3 =67 | b 4 =103 a)", R"(a 3 =67 | b 4 =1 a)"},
      {"sizes-jointly-down", R"(a 3 =6 | b 4 =6 a)", R"(a 3 =1 | b 4 =1 a)"},
      {"sizes-down", R"(a 3 =6 | b 4 =6 a)", R"(a 3 =6 | b 4 =1 a)"},
      {"sizes-equal", R"(a 3 =5 | b 4 =6 a | c 1 =5 b)", R"(a 3 =5 | b 4 =6 a | c 1 =6 b)"},
      {"costs-divided", R"(a 3 =6 | b 9 =10 a)", R"(a 1 =6 | b 1 =10 a)"},
      {"costs-rounded", R"(a 31 =6 | b 49 =10 a)", R"(a 30 =6 | b 40 =10 a)"},
      {"costs-to-one", R"(a 3 =6 | b 9 =10 a)", R"(a 3 =6 | b 1 =10 a)"},
      {"costs-jointly-down", R"(a 9 =6 | b 9 =10 a)", R"(a 1 =6 | b 1 =10 a)"},
      {"costs-down", R"(a 9 =6 | b 9 =10 a)", R"(a 9 =6 | b 1 =10 a)"},
      {"costs-equal", R"(a 3 =5 | b 4 =6 a | c 3 =5 b)", R"(a 3 =5 | b 4 =6 a | c 4 =5 b)"},
      {"order", R"(a 3 =5 | b 4 =6 | c 1 =1 a b)", R"(a 3 =5 | b 4 =6 | c 1 =1 b a)"},
      {"releases", R"(a 3 =5 | b 4 =6 a -a)", R"(a 3 =5 | b 4 =6 a)"},
  };
  return all;
}

// "NAME COST =SIZE ARGUMENT... -RELEASED...", operators separated by bars.
Program program_from(const std::string& text) {
  Draft draft;
  std::map<std::string, TensorId> tensors;
  std::istringstream words(text + " |");
  Draft::Step step;
  std::vector<Draft::Step> releases;
  std::string name, word;
  words >> name >> step.cost;
  while (words >> word) {
    if (word == "|") {
      step.outputs = {static_cast<TensorId>(draft.tensors.size() - 1)};
      tensors[name] = step.outputs[0];
      draft.steps.push_back(std::exchange(step, {}));
      draft.steps.insert(draft.steps.end(), releases.begin(), releases.end());
      releases.clear();
      words >> name >> step.cost;
    } else if (word[0] == '=') {
      draft.tensors.push_back({std::stoll(word.substr(1)), std::nullopt, ""});
    } else if (word[0] == '-') {
      Draft::Step release;
      release.kind = Draft::Step::Kind::release;
      release.tensor = tensors.at(word.substr(1));
      releases.push_back(release);
    } else {
      step.arguments.push_back(tensors.at(word));
    }
  }
  return *program_of(draft);
}

TEST(PassExamples, TheLastPieceIsTriedFirst) {
  for (const Example& example : examples()) {
    const auto pass =
        std::find_if(passes().begin(), passes().end(), [&](const Pass& p) { return p.name == example.pass; });
    ASSERT_NE(pass, passes().end()) << example.pass;
    Holed h = holed(program_from(example.before));
    if (example.failing != 0) h.failing = example.failing;
    const std::size_t count = pass->count(h);
    ASSERT_GT(count, 0U) << example.pass;
    ASSERT_TRUE(pass->apply(h, count - 1, count)) << example.pass;
    mend(h.draft);
    EXPECT_EQ(native_text(*program_of(h.draft)), native_text(program_from(example.after))) << example.pass;
  }
}

TEST(PassExamples, ReplaceWhatSplicedOperatorsMadeByTheirArguments) {
  const auto splice = std::find_if(passes().begin(), passes().end(), [](const Pass& p) { return p.name == "splice"; });
  Holed h = holed(program_from("a 3 =5 | b 4 =6 | c 1 =1 a b | d 2 =2 c a"));
  ASSERT_TRUE(splice->apply(h, 2, 3));
  mend(h.draft);
  EXPECT_EQ(native_text(*program_of(h.draft)), native_text(program_from("a 3 =5 | b 4 =6 | d 2 =2 a b a")));
}

TEST(PassExamples, DivideTheBudgetsWithTheSizes) {
  const auto pass =
      std::find_if(passes().begin(), passes().end(), [](const Pass& p) { return p.name == "sizes-divided"; });
  Holed h = holed(program_from("a 3 =6 | b 4 =10 a"));
  ASSERT_EQ(pass->count(h), 3U);  // by 2, 4 and 8
  ASSERT_TRUE(pass->apply(h, 0, 1));
  EXPECT_EQ(h.near, (Witness{50, 100, 150}));
}

TEST(PassExamples, HaveSentences) {
  for (const Pass& pass : passes()) EXPECT_GT(pass.sentence.size(), 10U) << pass.name;
}

}  // namespace
}  // namespace pothole
