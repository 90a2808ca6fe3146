// A source as the character iterator that the JSON library asks for, which knows the line it is in.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>

#include "corpus/input_error.h"
#include "corpus/source.h"

namespace pothole {

class TextCursor {
 public:
  explicit TextCursor(Source& source) : source_(source) {}

  const std::string& name() const { return source_.name(); }

  // Of the character taken last: the library looks one character ahead of a number, over a line's end.
  std::size_t line() const { return line_; }

  bool at_end() { return source_.peek().empty(); }
  char front() {
    const char c = source_.peek().front();
    // The library takes a NUL for the end of the text.
    if (c == '\0') throw InputError(name() + ":" + std::to_string(line_ + (after_newline_ ? 1 : 0)), "NUL byte");
    return c;
  }
  void pop() {
    line_ += after_newline_ ? 1 : 0;
    after_newline_ = source_.peek().front() == '\n';
    source_.consume(1);
  }

 private:
  Source& source_;
  std::size_t line_ = 1;
  bool after_newline_ = false;
};

class TextIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  TextIterator() = default;  // the end
  explicit TextIterator(TextCursor* cursor) : cursor_(cursor) {}

  char operator*() const { return cursor_->front(); }
  TextIterator& operator++() {
    cursor_->pop();
    return *this;
  }
  bool operator==(const TextIterator& other) const { return ended() == other.ended(); }

 private:
  bool ended() const { return cursor_ == nullptr || cursor_->at_end(); }
  TextCursor* cursor_ = nullptr;
};

}  // namespace pothole
