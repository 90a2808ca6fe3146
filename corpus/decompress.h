// Bytes of an input as they were before compression: plain, gzip or zstd, told apart by their first
// bytes. Truncated or corrupt compressed data, or anything behind it, is an InputError.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>

namespace pothole {

class Decompressor {
 public:
  virtual ~Decompressor() = default;
  // Fills `out` as far as the input reaches; 0 means that it has ended.
  virtual std::size_t read(std::span<char> out) = 0;
};

// `in` must outlive the result; `name` is for errors.
std::unique_ptr<Decompressor> open_decompressor(std::istream& in, std::string name);

}  // namespace pothole
