// The native format: canonical text, equal programs after a round trip, strict reading.
#include "corpus/native_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "engine/program_builder.h"
#include "tests/support/log_lines.h"
#include "tests/support/same_program.h"
#include "tests/support/shared_data.h"

namespace pothole {
namespace {

using testing::HasSubstr;

std::string written(const Trace& trace) {
  std::ostringstream out;
  write_trace(out, trace);
  return out.str();
}

const std::string kSmall = R"({"format":"pothole-trace/1","name":"three layers","operators":[
{"constant":"w","size":4},
{"op":"conv","cost":10,"args":["w"],"out":[{"name":"a","size":8},{"name":"mask","size":0}]},
{"op":"view","cost":0,"args":["w","a","a"],"out":[{"name":"v","alias":"a"}],"then":[{"release":"a"},{"get":"v"},{"release":"w"}]},
{"op":"noise","cost":1,"out":[{"name":"n","size":1}]}
],"pins":["v","n"]}
)";

void expect_error(const std::string& text, std::size_t line, const std::string& what) {
  const InputError error = error_of(text);
  EXPECT_EQ(error.where(), "log:" + std::to_string(line)) << error.what();
  EXPECT_THAT(std::string(error.what()), HasSubstr(what));
}

// A trace whose only operator stands in line 2.
std::string with_operator(const std::string& op) {
  return "{\"format\":\"pothole-trace/1\",\"operators\":[\n" + op + "\n]}\n";
}

void expect_bad_operator(const std::string& op, const std::string& what) {
  SCOPED_TRACE(op);
  expect_error(with_operator(op), 2, "operator 0: " + what);
}

TEST(NativeTrace, TheCanonicalTextIsReadAndWrittenBack) {
  const Trace trace = read_text(kSmall);
  EXPECT_EQ(trace.name, "three layers");
  EXPECT_EQ(written(trace), kSmall);
  const Program& p = trace.program;
  EXPECT_EQ(p.operators().size(), 4u);
  EXPECT_TRUE(p.operators()[0].constant);
  EXPECT_EQ(p.tensors()[3].storage, p.tensors()[1].storage);
  EXPECT_THAT(p.arguments(2), testing::ElementsAre(0u, 1u, 1u));
  EXPECT_THAT(p.pins(), testing::ElementsAre(3u, 4u));
  EXPECT_EQ(p.commands().size(), 7u);
  EXPECT_EQ(p.commands()[4].kind, Command::Kind::get);
}

TEST(NativeTrace, FreeLayoutGivesTheSameProgram) {
  std::string loose;
  for (char c : kSmall) loose += (c == ',' || c == '{' || c == ':') ? std::string(1, c) + "\r\n \t" : std::string(1, c);
  const Trace trace = read_text("\xEF\xBB\xBF \n" + loose);
  EXPECT_TRUE(same_program(trace.program, read_text(kSmall).program));
}

TEST(NativeTrace, EmptyProgramsAndNamesOfEveryKindSurvive) {
  Trace trace = read_text(kStart);
  trace.name = "quote \" backslash \\ newline \n \u5F20";
  const Trace empty = read_text(written(trace));
  EXPECT_EQ(empty.name, trace.name);
  EXPECT_TRUE(empty.program.operators().empty());

  ProgramBuilder b;
  ASSERT_FALSE(b.add_operator("", 0, {}, {{1, -1, "\x01\"\u5F20"}, {2, -1, ""}, {2, -1, "t0#2"}}));
  ASSERT_FALSE(b.add_constant(kLargestQuantity - 5, std::string("nul\0", 4)));
  trace.program = b.finish();
  EXPECT_TRUE(same_program(read_text(written(trace)).program, trace.program));
}

TEST(NativeTrace, WithoutANameTheFileNameStands) {
  TemporaryFolder folder;
  put_file(folder / "small.json", with_operator(R"({"constant":"w","size":4})"));
  EXPECT_EQ(read_trace(folder / "small.json").name, "small.json");
}

TEST(NativeTrace, FilesAreCompressedByTheirName) {
  TemporaryFolder folder;
  const Trace trace = read_text(kSmall);
  for (const char* name : {"t.json", "t.json.gz", "t.json.zst"}) {
    write_trace(folder / name, trace);
    const Trace again = read_trace(folder / name);
    EXPECT_TRUE(same_program(again.program, trace.program));
    EXPECT_EQ(again.sha256, trace.sha256);
  }
  EXPECT_EQ(file_content(folder / "t.json"), kSmall);
  EXPECT_TRUE(file_content(folder / "t.json.gz").starts_with("\x1F\x8B"));
  EXPECT_TRUE(file_content(folder / "t.json.zst").starts_with("\x28\xB5\x2F\xFD"));
}

TEST(NativeTraceErrors, TheFrame) {
  expect_error(R"({"format":"pothole-trace/2"})", 1, "the format is \"pothole-trace/2\"");
  expect_error(R"({"format":"pothole-other/1"})", 1, "known: pothole-trace/1");
  expect_error("{\"name\":\"x\",\n\"format\":\"pothole-trace/1\"}", 1, "\"format\" must be the first key");
  expect_error("{\"format\":\"pothole-trace/1\",\n\"budget\":1}", 2,
               "unknown key \"budget\" (known: format, name, operators, pins)");
  expect_error("{\"format\":\"pothole-trace/1\",\n\"name\":3}", 2, "\"name\" must be a string");
  expect_error("{\"format\":\"pothole-trace/1\",\n\"name\":[\"x\"]}", 2, "\"name\" must be a string");
  expect_error("{\"format\":\"pothole-trace/1\"}\n", 1, "no \"operators\"");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":{}}", 1, "\"operators\" must be an array");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":null}", 1, "\"operators\" must be an array");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[\n3]}", 2, "\"operators\" must hold objects");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[\n[]]}", 2, "\"operators\" must hold objects");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[],\n\"operators\":[]}", 2, "\"operators\" is repeated");
  expect_error("{\"format\":\"pothole-trace/1\",\n\"pins\":[],\"operators\":[]}", 2, "must come after");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[],\n\"pins\":[\"x\"]}", 2, "no tensor \"x\" yet");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[],\n\"pins\":[3]}", 2, "a tensor name is awaited");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[],\n\"pins\":[{}]}", 2,
               "\"pins\" must hold tensor names");
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[],\n\"pins\":\"x\"}", 2, "\"pins\" must be an array");
}

TEST(NativeTraceErrors, MalformedText) {
  const std::string lines[] = {kSmall.substr(0, kSmall.find("\n{\"op\":\"view") + 1)};
  expect_error(lines[0], 3, "malformed JSON: unexpected end of input");
  expect_error(lines[0] + "{\"op\" 3}", 4, "malformed JSON");
  expect_error(kSmall + "x", 7, "malformed JSON");
  expect_error(kSmall + "{}", 7, "malformed JSON");
  expect_error(kSmall + std::string(1, '\0'), 7, "NUL byte");
  expect_error(with_operator("{\"op\":\"\xFF\"}"), 2, "UTF-8");
  expect_error(with_operator(std::string(100'000, '[')), 2, "must hold objects");
  expect_error(with_operator("{\"op\":" + std::string(100'000, '[')), 2, "nested so deep");
}

TEST(NativeTraceErrors, KeysAndTypesOfOperators) {
  expect_bad_operator("{}", "\"op\" is missing");
  expect_bad_operator(R"({"op":"f","out":[{"name":"a","size":1}]})", "\"cost\" is missing");
  expect_bad_operator(R"({"op":"f","cost":1})", "\"out\" is missing");
  expect_bad_operator(R"({"op":"f","cost":1,"out":[]})", "an operator needs at least one output");
  expect_bad_operator(R"({"op":"f","cost":1,"size":2,"out":[]})",
                      "unknown key \"size\" (known: op, cost, args, out, then)");
  expect_bad_operator(R"({"constant":"w","size":2,"cost":1})", "unknown key \"cost\" (known: constant, size, then)");
  expect_bad_operator(R"({"constant":"w"})", "\"size\" is missing");
  expect_bad_operator(R"({"constant":3,"size":2})", "\"constant\" must be a string, not number");
  expect_bad_operator(R"({"constant":"","size":2})", "a tensor has an empty name");
  expect_bad_operator(R"({"op":3,"cost":1,"out":[]})", "\"op\" must be a string, not number");
  expect_bad_operator(R"({"op":"f","op":"f","cost":1,"out":[]})", "the key \"op\" is repeated");
  expect_bad_operator(R"({"op":"f","cost":1,"args":"a","out":[]})", "\"args\" must be an array, not string");
  expect_bad_operator(R"({"op":"f","cost":1,"args":["a"],"out":[]})", "there is no tensor \"a\" yet");
  expect_bad_operator(R"({"op":"f","cost":1,"args":[3],"out":[]})", "a tensor name is awaited, not number");
  expect_bad_operator(R"({"op":"f","cost":1,"out":["a"]})", "\"out\" must hold objects");
  expect_bad_operator(R"({"op":"f","cost":1,"out":[{"size":1}]})", "\"name\" is missing");
  expect_bad_operator(R"({"op":"f","cost":1,"out":[{"name":"a"}]})", "\"size\" is missing");
  expect_bad_operator(R"({"op":"f","cost":1,"out":[{"name":"a","size":1,"pin":1}]})",
                      "unknown key \"pin\" (known: name, size)");
  expect_bad_operator(R"({"op":"f","cost":1,"out":[{"name":"a","alias":"b","size":1}]})",
                      "unknown key \"size\" (known: name, alias)");
  expect_bad_operator(R"({"op":"f","cost":1,"out":[{"name":"a","alias":"b"}]})",
                      "the alias \"a\" is of \"b\", which is no argument");
  expect_bad_operator(R"({"op":"f","cost":1,"out":[{"name":"a","size":1},{"name":"a","size":1}]})",
                      "two outputs are named \"a\"");
  expect_error(
      "{\"format\":\"pothole-trace/1\",\"operators\":[{\"constant\":\"w\",\"size\":1},\n"
      "{\"constant\":\"w\",\"size\":1}]}",
      2, "operator 1: the tensor name \"w\" is taken");
}

TEST(NativeTraceErrors, Steps) {
  const auto expect_bad_steps = [](const std::string& steps, const std::string& what) {
    expect_bad_operator(R"({"constant":"w","size":2,"then":)" + steps + "}", what);
  };
  expect_bad_steps("{}", "\"then\" must be an array, not object");
  expect_bad_steps("[\"release w\"]", "\"then\" must hold objects");
  expect_bad_steps("[{}]", "\"then\" must hold objects");
  expect_bad_steps(R"([{"get":"w","release":"w"}])", "\"then\" must hold objects");
  expect_bad_steps(R"([{"take":"w"}])", "unknown key \"take\" (known: get, release)");
  expect_bad_steps(R"([{"get":"x"}])", "there is no tensor \"x\" yet");
  expect_bad_steps(R"([{"release":"w"},{"release":"w"}])", "it is released more often than it was taken");
}

TEST(NativeTraceErrors, Numbers) {
  for (const char* number : {"-1", "-0", "1.0", "1e3", "\"4\"", "null", "[4]", "4611686018427387905",
                             "18446744073709551615", "18446744073709551616"}) {
    expect_bad_operator(R"({"constant":"w","size":)" + std::string(number) + "}", "\"size\" must be an integer");
    expect_bad_operator(R"({"op":"f","out":[{"name":"a","size":1}],"cost":)" + std::string(number) + "}",
                        "\"cost\" must be an integer");
  }
  expect_bad_operator(R"({"op":"f","cost":0,"out":[{"name":"a","size":4611686018427387904},{"name":"b","size":1}]})",
                      "the sum of all sizes passes 2^62");
}

TEST(NativeTraceErrors, AnOperatorOverSeveralLinesIsNamedByItsFirst) {
  expect_error("{\"format\":\"pothole-trace/1\",\"operators\":[\n\n{\n\"op\":\"f\",\n\"cost\":1\n}\n]}", 3,
               "operator 0: \"out\" is missing");
}

}  // namespace
}  // namespace pothole
