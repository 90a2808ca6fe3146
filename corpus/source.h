// The uncompressed text of one input, piece by piece, with the digest of everything read.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/decompress.h"
#include "corpus/sha256.h"

namespace pothole {

class Source {
 public:
  // `in` must outlive the source. `name` stands for the input in errors.
  Source(std::istream& in, std::string name);

  const std::string& name() const { return name_; }

  // What is left of the current piece, or the next one; empty at the end of the input.
  std::string_view peek();
  void consume(std::size_t count) { rest_.remove_prefix(count); }

  // The next line without its newline, valid until the next call.
  std::optional<std::string_view> next_line();

  // Of the whole text, once it has been read to its end.
  std::string sha256() { return digest_.hex(); }

 private:
  std::string name_;
  std::unique_ptr<Decompressor> input_;
  std::vector<char> buffer_;
  std::string_view rest_;
  std::string line_;
  std::size_t line_count_ = 0;
  Sha256 digest_;
};

}  // namespace pothole
