// Spells out the logs of log_lines.h.
#include "tests/support/log_lines.h"

#include <sstream>

namespace pothole {

std::string name_list(const Lines& names) {
  std::string out = "[";
  for (const std::string& name : names) out += (out.size() > 1 ? ",\"" : "\"") + name + "\"";
  return out + "]";
}

Lines call(const Lines& arguments, const Lines& results, int size, int time) {
  Lines out = {R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":)" + name_list(arguments) + R"(,"RESULT":)" +
               name_list(results) + R"(,"TIME":")" + std::to_string(time) + "\"}"};
  for (const std::string& result : results) {
    out.push_back(R"({"INSTRUCTION":"MEMORY","NAME":")" + result + R"(","MEMORY":")" + std::to_string(size) + "\"}");
    out.push_back(R"({"INSTRUCTION":"ALIAS","NAME":")" + result + R"(","ALIAS":"-1"})");
  }
  return out;
}

Lines constant(const std::string& name, int size) {
  return {R"({"INSTRUCTION":"CONSTANT","NAME":")" + name + "\"}",
          R"({"INSTRUCTION":"MEMORY","NAME":")" + name + R"(","MEMORY":")" + std::to_string(size) + "\"}"};
}

Lines release(const std::string& name) { return {R"({"INSTRUCTION":"RELEASE","NAME":")" + name + "\"}"}; }

Lines join(std::initializer_list<Lines> parts) {
  Lines out;
  for (const Lines& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

std::string as_text(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

InputError error_of(const std::string& text, const ReadOptions& options) {
  try {
    read_text(text, options);
  } catch (const InputError& error) {
    return error;
  }
  return {"", "no error"};
}

Trace read_text(const std::string& text, const ReadOptions& options) {
  std::istringstream in(text);
  return read_trace(in, "log", options);
}

}  // namespace pothole
