#include "tests/support/long_log.h"

namespace pothole {

std::string long_log(int layers) {
  std::string text = "{\"INSTRUCTION\":\"ANNOTATE\",\"ANNOTATION\":\"START\"}\n";
  unsigned state = 1;
  const auto draw = [&](unsigned below) {
    state = state * 1664525u + 1013904223u;
    return 1 + (state >> 8) % below;
  };
  const auto call = [&](const std::string& arguments, const std::string& result) {
    text += R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[)" + arguments + R"(],"RESULT":[")" + result +
            R"("],"TIME":")" + std::to_string(draw(1000)) + "\"}\n";
    text +=
        R"({"INSTRUCTION":"MEMORY","NAME":")" + result + R"(","MEMORY":")" + std::to_string(draw(1000000)) + "\"}\n";
    text += R"({"INSTRUCTION":"ALIAS","NAME":")" + result + "\",\"ALIAS\":\"-1\"}\n";
  };
  const auto name = [](char kind, int i) { return kind + std::to_string(i); };
  const auto quoted = [](const std::string& word) { return "\"" + word + "\""; };
  call("", "a0");
  for (int i = 1; i <= layers; ++i) call(quoted(name('a', i - 1)), name('a', i));
  call(quoted(name('a', layers)), name('g', layers));
  for (int i = layers - 1; i >= 0; --i) {
    call(quoted(name('g', i + 1)) + "," + quoted(name('a', i)), name('g', i));
    text += R"({"INSTRUCTION":"RELEASE","NAME":")" + name('g', i + 1) + "\"}\n";
    text += R"({"INSTRUCTION":"RELEASE","NAME":")" + name('a', i + 1) + "\"}\n";
  }
  return text;
}

}  // namespace pothole
