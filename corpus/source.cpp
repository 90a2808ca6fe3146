// Pieces are large enough that nearly all lines lie within one and are not copied.
#include "corpus/source.h"

#include <istream>
#include <utility>

#include "corpus/input_error.h"

namespace pothole {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;

// A line is held in memory, and a small compressed file can hold an endless one.
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

}  // namespace

Source::Source(std::istream& in, std::string name)
    : name_(std::move(name)), input_(open_decompressor(in, name_)), buffer_(kPiece) {}

std::string_view Source::peek() {
  if (rest_.empty()) {
    rest_ = {buffer_.data(), input_->read(buffer_)};
    digest_.add(rest_);
  }
  return rest_;
}

std::optional<std::string_view> Source::next_line() {
  std::string_view piece = peek();
  if (piece.empty()) return std::nullopt;
  ++line_count_;
  std::size_t end = piece.find('\n');
  if (end != std::string_view::npos) {
    consume(end + 1);
    return piece.substr(0, end);
  }
  line_.clear();
  while (!piece.empty()) {
    end = piece.find('\n');
    line_ += piece.substr(0, end);
    if (line_.size() > kLongestLine)
      throw InputError(name_ + ":" + std::to_string(line_count_), "the line is longer than 256 MiB");
    consume(end == std::string_view::npos ? piece.size() : end + 1);
    if (end != std::string_view::npos) break;
    piece = peek();
  }
  return line_;
}

}  // namespace pothole
