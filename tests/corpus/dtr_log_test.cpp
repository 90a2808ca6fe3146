// What a DTR log means, and every accepted oddity of one.
#include "corpus/dtr_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/log_lines.h"
#include "tests/support/same_program.h"

namespace pothole {
namespace {

using testing::ElementsAre;

const Lines kFirst = join({{kStart}, constant("c"), call({"c"}, {"a"})});  // 6 lines

Program program_of(const Lines& lines) { return read_text(as_text(lines)).program; }

// "issue 0", "get 1", "release 1 last".
std::vector<std::string> commands_of(const Program& program) {
  std::vector<std::string> out;
  for (const Command& command : program.commands()) {
    const char* kinds[] = {"issue ", "get ", "release "};
    out.push_back(kinds[static_cast<std::size_t>(command.kind)] + std::to_string(command.id) +
                  (command.last_reference ? " last" : ""));
  }
  return out;
}

TEST(DtrLog, AConstantAndACallBecomeOperators) {
  const Program p = program_of(kFirst);
  ASSERT_EQ(p.operators().size(), 2u);
  EXPECT_TRUE(p.operators()[0].constant);
  EXPECT_EQ(p.operators()[0].cost, 0);
  EXPECT_EQ(p.operators()[0].total_size, 4);
  EXPECT_FALSE(p.operators()[1].constant);
  EXPECT_EQ(p.operators()[1].cost, 10);
  EXPECT_EQ(p.operator_name(1), "f");
  EXPECT_EQ(p.tensor_name(1), "a");
  EXPECT_THAT(p.arguments(1), ElementsAre(0u));
  EXPECT_THAT(p.pins(), ElementsAre(0u, 1u));
}

TEST(DtrLog, AnAliasJoinsTheStorageOfItsArgumentAndHasNoSize) {
  const Lines view = {R"({"INSTRUCTION":"CALL","NAME":"view","ARGS":["c","a"],"RESULT":["v"],"TIME":1})",
                      R"({"INSTRUCTION":"MEMORY","NAME":"v","MEMORY":"999"})",
                      R"({"INSTRUCTION":"ALIAS","NAME":"v","ALIAS":"1"})"};
  const Program p = program_of(join({kFirst, view}));
  EXPECT_TRUE(p.tensors()[2].alias);
  EXPECT_EQ(p.tensors()[2].storage, p.tensors()[1].storage);
  EXPECT_EQ(p.operators()[2].total_size, 0);
  EXPECT_EQ(p.total_size(), 12);
}

TEST(DtrLog, MutateMakesAFreshStorageOfTheWholeSizeAndRebindsTheName) {
  const Lines view = {R"({"INSTRUCTION":"CALL","NAME":"view","ARGS":["a"],"RESULT":["v"],"TIME":"1"})",
                      R"({"INSTRUCTION":"MEMORY","NAME":"v","MEMORY":"8"})",
                      R"({"INSTRUCTION":"ALIAS","NAME":"v","ALIAS":"0"})"};
  const Lines mutate = {R"({"INSTRUCTION":"MUTATE","NAME":"add_","ARGS":["c","v"],"MUTATE":[1],"TIME":"5"})"};
  const Program p = program_of(join({kFirst, view, mutate, call({"v"}, {"b"})}));
  EXPECT_EQ(p.tensors()[3].size, 8);
  EXPECT_FALSE(p.tensors()[3].alias);
  EXPECT_THAT(p.arguments(4), ElementsAre(3u));
  EXPECT_THAT(commands_of(p), ElementsAre("issue 0", "issue 1", "issue 2", "issue 3", "release 2", "issue 4"));
  EXPECT_THAT(p.pins(), ElementsAre(0u, 1u, 3u, 4u));
}

TEST(DtrLog, MutateHandlesItsIndicesInListedOrder) {
  const Lines mutate = {R"({"INSTRUCTION":"MUTATE","NAME":"swap_","ARGS":["c","a"],"MUTATE":[1,0],"TIME":"5"})"};
  const Program p = program_of(join({kFirst, mutate}));
  EXPECT_EQ(p.tensors()[2].size, 8);
  EXPECT_EQ(p.tensors()[3].size, 4);
  EXPECT_THAT(commands_of(p), ElementsAre("issue 0", "issue 1", "issue 2", "release 1 last", "release 0 last"));
  // The names keep their places: c was defined before a.
  EXPECT_THAT(p.pins(), ElementsAre(3u, 2u));
}

TEST(DtrLog, ANameMutatedAtTwoPositionsMeansTheSecondTensor) {
  const Lines mutate = {R"({"INSTRUCTION":"MUTATE","NAME":"twice_","ARGS":["a","a"],"MUTATE":[0,1],"TIME":"5"})"};
  const Program p = program_of(join({kFirst, mutate}));
  EXPECT_THAT(commands_of(p), ElementsAre("issue 0", "issue 1", "issue 2", "release 1 last", "release 2 last"));
  EXPECT_THAT(p.pins(), ElementsAre(0u, 3u));
}

TEST(DtrLog, CopiesShareTheCountOfTheirTensor) {
  const Lines copy = {R"({"INSTRUCTION":"COPY","DST":"b","SRC":"a"})"};
  const Program p = program_of(join({kFirst, copy, release("a")}));
  EXPECT_THAT(commands_of(p), ElementsAre("issue 0", "issue 1", "get 1", "release 1"));
  EXPECT_THAT(p.pins(), ElementsAre(0u, 1u));
  EXPECT_THAT(program_of(join({kFirst, copy, release("a"), release("b")})).pins(), ElementsAre(0u));
  // The count is the tensor's: one name may be released twice.
  EXPECT_THAT(program_of(join({kFirst, copy, release("a"), release("a")})).pins(), ElementsAre(0u));
}

TEST(DtrLog, CopyFromReleasesThenTakes) {
  const Lines copy = {R"({"INSTRUCTION":"COPY_FROM","DST":"a","SRC":"b"})"};
  const Program p = program_of(join({kFirst, call({"a"}, {"b"}), copy}));
  EXPECT_THAT(commands_of(p), ElementsAre("issue 0", "issue 1", "issue 2", "release 1 last", "get 2"));
  EXPECT_THAT(p.pins(), ElementsAre(0u, 2u));
}

TEST(DtrLog, CopyFromOntoItselfDoesNothing) {
  const Lines copy = {R"({"INSTRUCTION":"COPY_FROM","DST":"a","SRC":"a"})"};
  EXPECT_TRUE(same_program(program_of(join({kFirst, copy})), program_of(kFirst)));
  EXPECT_TRUE(same_program(program_of(join({kFirst, release("a"), copy})), program_of(join({kFirst, release("a")}))));
}

TEST(DtrLog, AReleasedTensorMayStillBeUsedAndAnUnknownReleaseIsIgnored) {
  const Program p = program_of(join({kFirst, release("a"), release("never"), call({"a", "a"}, {"b"})}));
  EXPECT_THAT(commands_of(p), ElementsAre("issue 0", "issue 1", "release 1 last", "issue 2"));
  EXPECT_THAT(p.arguments(2), ElementsAre(1u, 1u));
  EXPECT_THAT(p.pins(), ElementsAre(0u, 2u));
}

TEST(DtrLog, LayoutAndSpellingDoNotMatter) {
  const Program plain = program_of(kFirst);
  const std::string text = as_text(kFirst);
  std::string crlf, blank_lines;
  for (const std::string& line : kFirst) {
    crlf += line + "\r\n";
    blank_lines += "\n \t \r\n" + line + "\n\r\n";
  }
  EXPECT_TRUE(same_program(read_text(crlf).program, plain));
  EXPECT_TRUE(same_program(read_text(blank_lines).program, plain));
  EXPECT_TRUE(same_program(read_text("\xEF\xBB\xBF" + text).program, plain));
  EXPECT_TRUE(same_program(read_text("\xEF\xBB\xBF\n" + text).program, plain));
  EXPECT_TRUE(same_program(read_text(text.substr(0, text.size() - 1)).program, plain));
  EXPECT_TRUE(same_program(read_text(kStart + "\n" + text + kStart + "\n").program, plain));
}

TEST(DtrLog, WhatStandsBeforeStartIsUncheckedButMustBeObjects) {
  const Program plain = program_of(kFirst);
  for (const std::string& line :
       {std::string("{}"), std::string(R"({"INSTRUCTION":["CALL"],"x":1.5e3})"), release("a")[0],
        std::string(R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"BACKWARD"})"), std::string(R"({"INSTRUCTION":"NEW"})"),
        std::string(R"({"INSTRUCTION":"CALL","RESULT":[],"TIME":-1})")})
    EXPECT_TRUE(same_program(program_of(join({{line}, kFirst})), plain)) << line;
}

TEST(DtrLog, StartAloneIsAnEmptyTrace) {
  for (const std::string& text : {kStart, kStart + "\n", "\n" + kStart + "\r\n\r\n"}) {
    const Trace trace = read_text(text);
    EXPECT_TRUE(trace.program.operators().empty());
    EXPECT_TRUE(trace.program.pins().empty());
  }
}

TEST(DtrLog, NumbersMayBeWrittenAsStringsOrNumbersUpToTheLargest) {
  const auto with = [](const std::string& memory, const std::string& time, const std::string& alias) {
    return Lines{kStart, R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["a"],"TIME":)" + time + "}",
                 R"({"INSTRUCTION":"MEMORY","NAME":"a","MEMORY":)" + memory + "}",
                 R"({"INSTRUCTION":"ALIAS","NAME":"a","ALIAS":)" + alias + "}"};
  };
  for (const char* largest : {"4611686018427387904", "\"4611686018427387904\"", "\"0004611686018427387904\""}) {
    const Program p = program_of(with(largest, largest, "-1"));
    EXPECT_EQ(p.total_size(), kLargestQuantity);
    EXPECT_EQ(p.total_cost(), kLargestQuantity);
  }
  const Program zero = program_of(with("0", "\"0\"", "\"-1\""));
  EXPECT_EQ(zero.total_size(), 0);
  EXPECT_EQ(zero.total_cost(), 0);
}

TEST(DtrLog, UnknownKeysAreIgnoredAndTheLastOfRepeatedKeysCounts) {
  const Program p = program_of({kStart, R"({"X":[{"NAME":"no"},[[1.5]]],"INSTRUCTION":"CONSTANT","NAME":"c","Y":null})",
                                R"({"INSTRUCTION":"MEMORY","MEMORY":[],"NAME":7,"MEMORY":"4","NAME":"c"})"});
  EXPECT_EQ(p.total_size(), 4);
}

TEST(DtrLog, NamesAreAnyText) {
  const Program p = program_of(join({{kStart}, constant("\u5F20\u91CF"), constant(R"(\u5f20)"), constant("")}));
  EXPECT_EQ(p.tensor_name(0), "\u5F20\u91CF");
  EXPECT_EQ(p.tensor_name(1), "\u5F20");
  EXPECT_EQ(p.tensors().size(), 3u);
}

TEST(DtrLog, LongLinesAndDeepNestingAreRead) {
  const std::string nested = std::string(300'000, '[') + std::string(300'000, ']');
  const std::string line = R"({"X":)" + nested + R"(,"INSTRUCTION":"CONSTANT","NAME":"c"})";
  const Program p = program_of({kStart, line, constant("c")[1]});
  EXPECT_EQ(p.tensors().size(), 1u);
  Lines arguments(200'000, "c");
  const Program wide = program_of(join({{kStart}, constant("c"), call(arguments, {"a"})}));
  EXPECT_EQ(wide.arguments(1).size(), 200'000u);
}

TEST(DtrLog, ATornTailIsDroppedWhenAllowedAndSaidSo) {
  const std::string text = as_text(join({kFirst, release("a")}));
  const Program without = program_of(kFirst);
  const std::size_t last = as_text(kFirst).size();
  ReadOptions options;
  options.allow_torn_tail = true;
  // Wherever the last line was torn, and with blank lines behind it.
  for (std::size_t end = last + 1; end < text.size() - 1; ++end)
    for (const char* tail : {"", "\n", "\r\n\n"}) {
      const Trace trace = read_text(text.substr(0, end) + tail, options);
      EXPECT_TRUE(same_program(trace.program, without)) << end;
      EXPECT_THAT(trace.notes, ElementsAre("log:7: the torn last line was dropped")) << end;
    }
  const Trace whole = read_text(text.substr(0, text.size() - 1), options);
  EXPECT_TRUE(whole.notes.empty());
  EXPECT_EQ(whole.program.commands().size(), without.commands().size() + 1);
}

}  // namespace
}  // namespace pothole
