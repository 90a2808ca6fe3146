#include "corpus/json_places.h"

#include <algorithm>

namespace pothole {
namespace {

// Walks well-formed text, of which only strings and brackets matter.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  std::map<std::string, JsonPlace, std::less<>> places() {
    std::map<std::string, JsonPlace, std::less<>> found;
    to('{');
    skip_blanks();
    while (at_ < text_.size() && text_[at_] != '}') {
      JsonPlace place;
      place.line = line_;
      const std::string key(string());
      to(':');
      skip_blanks();
      place.value_line = line_;
      place.value_begin = at_;
      place.value_end = skip_value();
      found.try_emplace(key, place);
      if (at_ < text_.size() && text_[at_] == ',') step();
      skip_blanks();
    }
    return found;
  }

 private:
  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  void to(char c) {
    while (at_ < text_.size() && text_[at_] != c) step();
    if (at_ < text_.size()) step();
  }
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) step();
  }

  // What stands between the quotes.
  std::string_view string() {
    step();
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') step();
      if (at_ < text_.size()) step();
    }
    const std::string_view inside = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) step();
    return inside;
  }

  // Up to the comma or the bracket that follows; returns where the value itself ends.
  std::size_t skip_value() {
    std::size_t end = at_;
    for (int depth = 0; at_ < text_.size(); end = is_blank(text_[at_ - 1]) ? end : at_) {
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == '}')) break;
      if (c == '"') {
        string();
        continue;
      }
      depth += c == '{' || c == '[';
      depth -= c == '}' || c == ']';
      step();
    }
    return end;
  }

  const std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

std::map<std::string, JsonPlace, std::less<>> json_places(std::string_view text) { return Walk(text).places(); }

}  // namespace pothole
