// Every kind of bad log: the line that the error names, and what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/log_lines.h"

namespace pothole {
namespace {

using testing::HasSubstr;

void expect_error(const std::string& text, std::size_t line, const std::string& what, const ReadOptions& options = {}) {
  const InputError error = error_of(text, options);
  EXPECT_EQ(error.where(), "log:" + std::to_string(line)) << error.what() << "\n" << text.substr(0, 2000);
  EXPECT_THAT(std::string(error.what()), HasSubstr(what));
}

void expect_error(const Lines& lines, std::size_t line, const std::string& what) {
  expect_error(as_text(lines), line, what);
}

const Lines kFirst = join({{kStart}, constant("c"), call({"c"}, {"a"})});  // 6 lines

// One more line behind a good log, which is wrong; the log then goes on.
void expect_bad_line(const std::string& line, const std::string& what) {
  expect_error(join({kFirst, {line}, release("c")}), 7, what);
}

TEST(DtrLogErrors, MalformedJson) {
  expect_bad_line(R"({"INSTRUCTION":"RELEASE","NAME":"a")", "torn line");
  expect_bad_line(R"({"INSTRUCTION":"RELEASE" "NAME":"a"})", "malformed JSON at byte 31");
  expect_bad_line(R"({"INSTRUCTION":"RELEASE","NAME":"a"} x)", "malformed JSON at byte 38");
  expect_bad_line(R"({"INSTRUCTION":"RELEASE","NAME":"a"}{})", "expected end of input");
  expect_bad_line(R"({"INSTRUCTION":"RELEASE","NAME":"\x"})", "malformed JSON");
  expect_bad_line(R"({"INSTRUCTION":"RELEASE","NAME":"\ud800"})", "surrogate");
  expect_bad_line("{'INSTRUCTION':'RELEASE','NAME':'a'}", "malformed JSON");
  expect_bad_line("nonsense", "malformed JSON at byte");
  expect_bad_line(R"({"x; expected y\q":1})", "forbidden character after backslash");
  expect_error("nonsense\n", 1, "one JSON object per line");
  expect_error(join({{"{}", "{\"x\":}"}, kFirst}), 2, "malformed JSON");
}

TEST(DtrLogErrors, JsonThatIsNoObject) {
  for (const char* line : {"[]", "[1,[2", "12", "-1", "1.5", "\"text\"", "null", "true"})
    expect_bad_line(line, "JSON but not an object");
  expect_error(join({{"[]"}, kFirst}), 1, "not an object");
}

TEST(DtrLogErrors, BytesThatAreNoText) {
  expect_bad_line("{\"INSTRUCTION\":\"RELEASE\",\"NAME\":\"\xFF\"}", "invalid UTF-8 at byte 34");
  expect_bad_line("{\"INSTRUCTION\":\"RELEASE\",\"NAME\":\"\xC3\"}", "invalid UTF-8");
  expect_bad_line("{\"INSTRUCTION\":\"RELEASE\",\"X\":\"\xED\xA0\x80\",\"NAME\":\"a\"}", "invalid UTF-8");
  expect_bad_line("\xFF\xFE{}", "malformed JSON");
  expect_bad_line("\xEF\xBB\xBF{}", "byte-order mark");
  const std::string nul(1, '\0');
  expect_bad_line("{\"INSTRUCTION\":\"RELEASE\",\"NAME\":\"a" + nul + "\"}", "NUL byte at byte 35");
  expect_bad_line("{\"INSTRUCTION\":\"RELEASE\",\"NAME\":\"a\"}" + nul, "NUL byte");
  expect_bad_line(nul, "NUL byte at byte 1");
  expect_error("{\"x\":\"\xFF\"}\n" + as_text(kFirst), 1, "invalid UTF-8");
}

TEST(DtrLogErrors, MessagesCarryNoControlCharactersAndNoEndlessNames) {
  const std::string name(100'000, 'x');
  const InputError error =
      error_of(as_text(join({kFirst, {R"({"INSTRUCTION":"COPY","DST":"\u001b[31m","SRC":")" + name + "\"}"}})));
  EXPECT_LT(std::string(error.what()).size(), 300u);
  const InputError control = error_of(as_text(join({kFirst, {R"({"INSTRUCTION":"\u001b[31m"})"}})));
  EXPECT_THAT(std::string(control.what()), HasSubstr(R"(\u001b[31m)"));
}

TEST(DtrLogErrors, TornLastLine) {
  const std::string text = as_text(kFirst) + R"({"INSTRUCTION":"REL)";
  expect_error(text, 7, "--allow-torn-tail");
  expect_error(text + "\n", 7, "--allow-torn-tail");
  expect_error(as_text(kFirst) + "{\"X\":\"\xE5\xBC", 7, "torn line");
}

TEST(DtrLogErrors, AllowingATornTailAllowsNothingElse) {
  ReadOptions options;
  options.allow_torn_tail = true;
  const std::string torn = R"({"INSTRUCTION":"REL)";
  expect_error(as_text(kFirst) + torn + "\n" + release("a")[0], 7, "torn line", options);
  expect_error(as_text(kFirst) + torn + "\n" + torn, 7, "torn line", options);
  expect_error(as_text(kFirst) + R"({"INSTRUCTION":"RELEASE","NAME":})", 7, "malformed JSON", options);
  expect_error(as_text(kFirst) + R"({"INSTRUCTION":"SWAP"})", 7, "unknown INSTRUCTION", options);
  expect_error(as_text(kFirst) + "[1", 7, "not an object", options);
  // What is left must be a whole log.
  const Lines cut(kFirst.begin(), kFirst.end() - 1);
  expect_error(as_text(cut) + R"({"INSTRUCTION":"ALIAS","NA)", 4, "ends inside this CALL", options);
  expect_error(R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"STA)", 1, "no START", options);
}

TEST(DtrLogErrors, NoStartOrNothingAtAll) {
  expect_error("", 1, "empty");
  expect_error("\n\n", 2, "no START");
  expect_error("\xEF\xBB\xBF", 1, "no START");
  expect_error(join({constant("c"), release("c")}), 3, "no START");
  expect_error(R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"BACKWARD"})", 1, "no START");
}

TEST(DtrLogErrors, UnknownOrMissingInstructions) {
  expect_bad_line(R"({"INSTRUCTION":"SWAP_OUT","NAME":"a"})", "unknown INSTRUCTION \"SWAP_OUT\" (known: ");
  expect_bad_line(R"({"INSTRUCTION":"release","NAME":"a"})", "unknown INSTRUCTION \"release\"");
  expect_bad_line(R"({"NAME":"a"})", "INSTRUCTION is missing");
  expect_bad_line("{}", "INSTRUCTION is missing");
  expect_bad_line(R"({"INSTRUCTION":7})", "INSTRUCTION must be a string, not a number");
  expect_bad_line(R"({"INSTRUCTION":null})", "INSTRUCTION must be a string, not null");
}

TEST(DtrLogErrors, MissingFields) {
  expect_bad_line(R"({"INSTRUCTION":"ANNOTATE"})", "ANNOTATE without ANNOTATION");
  expect_bad_line(R"({"INSTRUCTION":"CONSTANT"})", "CONSTANT without NAME");
  expect_bad_line(R"({"INSTRUCTION":"RELEASE"})", "RELEASE without NAME");
  expect_bad_line(R"({"INSTRUCTION":"COPY","DST":"z"})", "COPY without SRC");
  expect_bad_line(R"({"INSTRUCTION":"COPY","SRC":"a"})", "COPY without DST");
  expect_bad_line(R"({"INSTRUCTION":"COPY_FROM","DST":"a"})", "COPY_FROM without SRC");
  expect_bad_line(R"({"INSTRUCTION":"COPY_FROM","SRC":"a"})", "COPY_FROM without DST");
  expect_bad_line(R"({"INSTRUCTION":"CALL","ARGS":[],"RESULT":["b"],"TIME":"1"})", "CALL without NAME");
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","RESULT":["b"],"TIME":"1"})", "CALL without ARGS");
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"TIME":"1"})", "CALL without RESULT");
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["b"]})", "CALL without TIME");
  expect_bad_line(R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["a"],"TIME":"1"})", "MUTATE without MUTATE");
  expect_bad_line(R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["a"],"MUTATE":[0]})", "MUTATE without TIME");
}

TEST(DtrLogErrors, WrongTypes) {
  for (const char* value : {"1", "1.5", "null", "true", "{}", "[]"}) {
    const std::string v = value;
    expect_bad_line(R"({"INSTRUCTION":"RELEASE","NAME":)" + v + "}", "NAME must be a string, not");
    expect_bad_line(R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":)" + v + "}", "ANNOTATION must be a string, not");
    expect_bad_line(R"({"INSTRUCTION":"COPY","DST":"z","SRC":)" + v + "}", "SRC must be a string, not");
    expect_bad_line(R"({"INSTRUCTION":"COPY","SRC":"a","DST":)" + v + "}", "DST must be a string, not");
    expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[)" + v + R"(],"RESULT":["b"],"TIME":"1"})",
                    "ARGS must hold names, but element 0 is");
    expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["b",)" + v + R"(],"TIME":"1"})",
                    "RESULT must hold names, but element 1 is");
  }
  for (const char* value : {"1", "null", "true", "{}", "\"a\""}) {
    const std::string v = value;
    expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","RESULT":["b"],"TIME":"1","ARGS":)" + v + "}",
                    "ARGS must be an array, not");
    expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"TIME":"1","RESULT":)" + v + "}",
                    "RESULT must be an array, not");
    expect_bad_line(R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["a"],"TIME":"1","MUTATE":)" + v + "}",
                    "MUTATE must be an array, not");
  }
  for (const char* value : {"null", "true", "\"0\"", "[0]", "{}"})
    expect_bad_line(
        R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["a"],"TIME":"1","MUTATE":[)" + std::string(value) + "]}",
        "MUTATE must hold argument positions, but element 0 is");
}

struct BadNumber {
  std::string json;
  std::string what;
};

const std::vector<BadNumber> kBadNumbers = {
    {"-4", "has a sign: -4"},
    {"\"-4\"", "has a sign: \"-4\""},
    {"-0", "has a sign: -0"},
    {"\"-0\"", "has a sign"},
    {"\"+4\"", "is not an integer: \"+4\""},
    {"4.0", "is not an integer: 4.0"},
    {"\"4.0\"", "is not an integer"},
    {"1e3", "is not an integer: 1e3"},
    {"\"1e3\"", "is not an integer"},
    {"0.5", "is not an integer"},
    {"-1e3", "is not an integer"},
    {"\"\"", "is not an integer: \"\""},
    {"\" 4\"", "is not an integer"},
    {"\"4 \"", "is not an integer"},
    {"\"0x10\"", "is not an integer"},
    {"\"1_000\"", "is not an integer"},
    {"\"NaN\"", "is not an integer"},
    {"\"\u0664\"", "is not an integer"},  // an Arabic digit
    {"4611686018427387905", "is larger than 2^62: 4611686018427387905"},
    {"\"4611686018427387905\"", "is larger than 2^62"},
    {"9223372036854775808", "is larger than 2^62"},
    {"18446744073709551615", "is larger than 2^62"},
    {"18446744073709551616", "is larger than 2^62: 18446744073709551616"},
    {"\"18446744073709551616\"", "is larger than 2^62"},
    {"\"" + std::string(5000, '9') + "\"", "is larger than 2^62: \"999"},
    {std::string(300, '9'), "is larger than 2^62: 999"},
    {std::string(5000, '9'), "number too large"},
    {"1e999", "number too large"},
    {"null", "must be an integer, not null"},
    {"true", "must be an integer, not a boolean"},
    {"[4]", "must be an integer, not an array"},
    {"{\"x\":4}", "must be an integer, not an object"},
    {"04", "malformed JSON"},
    {"+4", "malformed JSON"},
    {".5", "malformed JSON"},
    {"NaN", "malformed JSON"},
    {"Infinity", "malformed JSON"},
};

TEST(DtrLogErrors, NumbersOfEveryWrongKind) {
  const Lines good = call({"c"}, {"b"});
  for (const BadNumber& number : kBadNumbers) {
    SCOPED_TRACE(number.json.substr(0, 40));
    expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["b"],"TIME":)" + number.json + "}",
                    number.what);
    expect_bad_line(R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["a"],"MUTATE":[0],"TIME":)" + number.json + "}",
                    number.what);
    const std::string memory = R"({"INSTRUCTION":"MEMORY","NAME":"b","MEMORY":)" + number.json + "}";
    expect_error(join({kFirst, {good[0], memory, good[2]}}), 8, number.what);
    expect_error(join({kFirst, {constant("b")[0], memory}}), 8, number.what);
  }
  // The size of an alias is not used, but it must be one.
  expect_error(join({kFirst,
                     {good[0], R"({"INSTRUCTION":"MEMORY","NAME":"b","MEMORY":"x"})",
                      R"({"INSTRUCTION":"ALIAS","NAME":"b","ALIAS":"0"})"}}),
               8, "MEMORY is not an integer");
}

TEST(DtrLogErrors, AliasesOutOfRangeOrNoIntegers) {
  const Lines good = call({"c"}, {"b"});
  const auto expect_bad_alias = [&](const std::string& json, const std::string& what) {
    SCOPED_TRACE(json);
    expect_error(join({kFirst, {good[0], good[1], R"({"INSTRUCTION":"ALIAS","NAME":"b","ALIAS":)" + json + "}"}}), 9,
                 what);
  };
  for (const char* json : {"1", "\"1\"", "5", "\"5\"", "18446744073709551615", "\"99999999999999999999999\""})
    expect_bad_alias(json, "ALIAS is out of range");
  for (const char* json : {"-2", "\"-2\"", "-0", "\"-0\"", "\"-01\""}) expect_bad_alias(json, "ALIAS has a sign");
  for (const char* json : {"0.0", "-1.0", "\"-1.0\"", "\"+0\"", "\"x\"", "1e0"})
    expect_bad_alias(json, "ALIAS is not an integer");
  for (const char* json : {"null", "[0]", "{}", "false"}) expect_bad_alias(json, "ALIAS must be an integer, not");
  expect_error(join({kFirst, {good[0], good[1], R"({"INSTRUCTION":"ALIAS","NAME":"b"})"}}), 9, "ALIAS without ALIAS");
}

TEST(DtrLogErrors, MutateIndices) {
  const auto expect_bad_mutate = [](const std::string& indices, const std::string& what) {
    expect_bad_line(R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["a","c"],"TIME":"1","MUTATE":)" + indices + "}",
                    what);
  };
  expect_bad_mutate("[]", "MUTATE is empty");
  expect_bad_mutate("[2]", "MUTATE index 2 is out of range: there are 2 argument(s)");
  expect_bad_mutate("[0,18446744073709551615]", "out of range");
  expect_bad_mutate("[-1]", "MUTATE index has a sign: -1");
  expect_bad_mutate("[0.0]", "MUTATE index is not an integer: 0.0");
  expect_bad_mutate("[0,1,0]", "MUTATE index 0 is repeated");
}

TEST(DtrLogErrors, SumsBeyondTheLargest) {
  const std::string largest = "\"4611686018427387904\"";
  const Lines big = {R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["b"],"TIME":)" + largest + "}",
                     R"({"INSTRUCTION":"MEMORY","NAME":"b","MEMORY":)" + largest + "}", call({}, {"b"})[2]};
  expect_error(join({{kStart}, big, call({}, {"d"}, 1, 0)}), 6, "the sum of all sizes passes 2^62");
  expect_error(join({{kStart}, big, call({}, {"d"}, 0, 1)}), 5, "the sum of all costs passes 2^62");
  expect_error(join({{kStart}, big, constant("d", 1)}), 6, "the sum of all sizes passes 2^62");
  expect_error(join({{kStart}, constant("d", 1), big}), 5, "the sum of all sizes passes 2^62");
  expect_error(join({{kStart}, big, {R"({"INSTRUCTION":"MUTATE","NAME":"g","ARGS":["b"],"MUTATE":[0],"TIME":"0"})"}}),
               5, "the sum of all sizes passes 2^62");
  // Within one CALL.
  Lines two = call({}, {"x", "y"});
  two[1] = R"({"INSTRUCTION":"MEMORY","NAME":"x","MEMORY":)" + largest + "}";
  expect_error(join({{kStart}, two}), 5, "the sum of all sizes passes 2^62");
}

TEST(DtrLogErrors, MissingMismatchedAndStrayLines) {
  const Lines good = call({"c"}, {"b", "d"});
  const std::string b_memory = good[1], b_alias = good[2], d_memory = good[3], d_alias = good[4];
  const auto after_call = [&](const Lines& lines) { return join({kFirst, {good[0]}, lines}); };
  expect_error(after_call({b_alias}), 8, "expected the MEMORY line of \"b\" (from line 7), not ALIAS");
  expect_error(after_call({b_memory, d_memory}), 9, "expected the ALIAS line of \"b\" (from line 7), not MEMORY");
  expect_error(after_call({d_memory}), 8, "MEMORY line of \"d\" where that of \"b\" (from line 7) is awaited");
  expect_error(after_call({b_memory, d_alias}), 9, "ALIAS line of \"d\" where that of \"b\"");
  expect_error(after_call({b_memory, b_alias, b_memory}), 10, "where that of \"d\"");
  expect_error(after_call({b_memory, b_alias, release("a")[0]}), 10, "expected the MEMORY line of \"d\"");
  expect_error(after_call({kStart}), 8, "expected the MEMORY line of \"b\"");
  expect_error(join({kFirst, {constant("x")[0]}, constant("y")}), 8, "expected the MEMORY line of \"x\" (from line 7)");
  expect_error(join({kFirst, {constant("x")[0], b_memory}}), 8, "where that of \"x\"");
  expect_error(join({kFirst, constant("x"), {R"({"INSTRUCTION":"ALIAS","NAME":"x","ALIAS":"-1"})"}}), 9, "stray ALIAS");
  expect_bad_line(R"({"INSTRUCTION":"MEMORY","NAME":"a","MEMORY":"8"})", "stray MEMORY line of \"a\"");
  expect_bad_line(R"({"INSTRUCTION":"ALIAS","NAME":"a","ALIAS":"-1"})", "stray ALIAS line of \"a\"");
}

TEST(DtrLogErrors, TheLogEndsInsideAnOperator) {
  const Lines good = call({"c"}, {"b", "d"});
  for (std::size_t kept = 1; kept < good.size(); ++kept) {
    const Lines part(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(kept));
    expect_error(join({kFirst, part}), 7, "the log ends inside this CALL");
  }
  expect_error(join({kFirst, {good[0], good[1], good[2]}}), 7, "the MEMORY line of \"d\" is missing");
  expect_error(join({kFirst, {good[0], good[1]}, {"", ""}}), 7, "the ALIAS line of \"b\" is missing");
  expect_error(join({kFirst, {constant("x")[0]}}), 7, "the log ends inside this CONSTANT");
}

TEST(DtrLogErrors, DuplicateAndUndefinedNames) {
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":["nope"],"RESULT":["b"],"TIME":"1"})",
                  "ARGS names \"nope\", which is not defined");
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":["b"],"RESULT":["b"],"TIME":"1"})", "not defined");
  expect_bad_line(R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["nope"],"MUTATE":[0],"TIME":"1"})", "not defined");
  expect_bad_line(R"({"INSTRUCTION":"COPY","DST":"z","SRC":"nope"})", "SRC names \"nope\", which is not defined");
  expect_bad_line(R"({"INSTRUCTION":"COPY_FROM","DST":"a","SRC":"nope"})", "SRC names \"nope\"");
  expect_bad_line(R"({"INSTRUCTION":"COPY_FROM","DST":"nope","SRC":"a"})", "DST names \"nope\"");
  expect_bad_line(R"({"INSTRUCTION":"COPY_FROM","DST":"nope","SRC":"nope"})", "not defined");
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["a"],"TIME":"1"})",
                  "\"a\" is already defined, in line 4");
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["b","b"],"TIME":"1"})",
                  "RESULT names \"b\" twice");
  expect_bad_line(R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":[],"TIME":"1"})", "RESULT is empty");
  expect_bad_line(constant("c")[0], "\"c\" is already defined, in line 2");
  expect_bad_line(R"({"INSTRUCTION":"COPY","DST":"a","SRC":"c"})", "\"a\" is already defined");
  expect_error(join({kFirst, release("a"), {constant("a")[0]}}), 8, "already defined");
}

TEST(DtrLogErrors, ReleasingMoreThanWasTaken) {
  const Lines gone = join({kFirst, release("a")});
  expect_error(join({gone, release("a")}), 8, "RELEASE releases \"a\" more often than it was taken");
  expect_error(join({gone, {R"({"INSTRUCTION":"COPY_FROM","DST":"a","SRC":"c"})"}}), 8, "COPY_FROM releases \"a\"");
  expect_error(join({gone, {R"({"INSTRUCTION":"MUTATE","NAME":"f","ARGS":["a"],"MUTATE":[0],"TIME":"1"})"}}), 8,
               "MUTATE releases \"a\"");
  expect_error(join({gone, {R"({"INSTRUCTION":"COPY","DST":"z","SRC":"a"})"}}), 8,
               "COPY of \"a\", whose storage has no reference left");
}

}  // namespace
}  // namespace pothole
