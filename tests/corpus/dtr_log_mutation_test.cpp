// Whatever happens to the bytes of a log, it loads or is refused with a place; nothing else.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "corpus/compress.h"
#include "tests/support/log_lines.h"

namespace pothole {
namespace {

std::string valid_log() {
  const Lines view = {R"({"INSTRUCTION":"CALL","NAME":"view","ARGS":["c","a"],"RESULT":["v"],"TIME":1})",
                      R"({"INSTRUCTION":"MEMORY","NAME":"v","MEMORY":"8"})",
                      R"({"INSTRUCTION":"ALIAS","NAME":"v","ALIAS":"1"})"};
  const Lines others = {R"({"INSTRUCTION":"COPY","DST":"d","SRC":"v"})",
                        R"({"INSTRUCTION":"COPY_FROM","DST":"d","SRC":"a"})",
                        R"({"INSTRUCTION":"MUTATE","NAME":"add_","ARGS":["a","d"],"MUTATE":[1,0],"TIME":"5"})"};
  return as_text(join({{kStart}, constant("c"), call({"c"}, {"a", "b"}), view, others, release("c"), release("a")}));
}

// One to four bytes replaced, inserted or removed, mostly by bytes that mean something in a log.
std::string mutated(std::string text) {
  const int changes = *rc::gen::inRange(1, 5);
  for (int i = 0; i < changes && !text.empty(); ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const std::string meaningful = "{}[]\",:\\-+.eE0192 \n\r\tacdv";
    const char byte = *rc::gen::oneOf(rc::gen::elementOf(meaningful), rc::gen::arbitrary<char>());
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 0) text[at] = byte;
    if (kind == 1) text.insert(at, 1, byte);
    if (kind == 2) text.erase(at, *rc::gen::inRange<std::size_t>(1, 40));
  }
  return text;
}

bool names_a_place(const InputError& error) {
  const std::string& where = error.where();
  const std::string line = where.substr(std::min(where.size(), std::string("log:").size()));
  return where.starts_with("log:") && !line.empty() && line.find_first_not_of("0123456789") == std::string::npos &&
         !error.what_is_wrong().empty();
}

RC_GTEST_PROP(DtrLogMutation, LoadsOrIsRefusedWithALine, ()) {
  const std::string text = mutated(valid_log());
  ReadOptions options;
  options.allow_torn_tail = *rc::gen::arbitrary<bool>();
  try {
    read_text(text, options);
  } catch (const InputError& error) {
    RC_ASSERT(names_a_place(error));
  }
}

RC_GTEST_PROP(DtrLogMutation, NativeTextLoadsOrIsRefusedWithALine, ()) {
  std::ostringstream native;
  write_trace(native, read_text(valid_log()));
  try {
    read_text(mutated(native.str()));
  } catch (const InputError& error) {
    RC_ASSERT(names_a_place(error));
  }
}

RC_GTEST_PROP(DtrLogMutation, CompressedBytesLoadOrAreRefused, ()) {
  const bool gzip = *rc::gen::arbitrary<bool>();
  const std::string text = valid_log();
  try {
    read_text(mutated(gzip ? gzip_compressed(text) : zstd_compressed(text)));
  } catch (const InputError& error) {
    RC_ASSERT(error.where().starts_with("log"));
  }
}

}  // namespace
}  // namespace pothole
