// zlib and libzstd directly: Boost.Iostreams' zstd filter takes a truncated frame for a complete one.
#include "corpus/decompress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <istream>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/input_error.h"

namespace pothole {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

// The input as it stands in the file.
class RawInput {
 public:
  RawInput(std::istream& in, std::string name) : in_(in), name_(std::move(name)), buffer_(kChunk) { refill(); }

  // What is left of the current chunk, or the next one; empty at the end.
  std::string_view peek() {
    if (rest_.empty()) refill();
    return rest_;
  }
  void consume(std::size_t count) { rest_.remove_prefix(count); }

  [[noreturn]] void fail(const std::string& what, const std::string& fix = "") const {
    throw InputError(name_, what, fix);
  }

 private:
  void refill() {
    in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (in_.bad()) fail("cannot be read to its end: the system reports a read error");
    rest_ = {buffer_.data(), static_cast<std::size_t>(in_.gcount())};
  }

  std::istream& in_;
  std::string name_;
  std::vector<char> buffer_;
  std::string_view rest_;
};

class Plain final : public Decompressor {
 public:
  explicit Plain(RawInput input) : input_(std::move(input)) {}
  std::size_t read(std::span<char> out) override {
    const std::string_view chunk = input_.peek().substr(0, out.size());
    std::copy(chunk.begin(), chunk.end(), out.begin());
    input_.consume(chunk.size());
    return chunk.size();
  }

 private:
  RawInput input_;
};

constexpr std::string_view kGzipMagic = "\x1F\x8B";

class Gzip final : public Decompressor {
 public:
  explicit Gzip(RawInput input) : input_(std::move(input)) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) input_.fail("no memory for decompression");
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::size_t read(std::span<char> out) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0) {
      const std::string_view chunk = input_.peek();
      if (chunk.empty()) {
        if (!between_members_) input_.fail("the gzip data is truncated");
        break;
      }
      if (between_members_) begin_member(chunk);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(chunk.data()));
      stream_.avail_in = static_cast<uInt>(chunk.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      input_.consume(chunk.size() - stream_.avail_in);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        input_.fail("the gzip data is corrupt" + (stream_.msg == nullptr ? "" : ": " + std::string(stream_.msg)));
      between_members_ = result == Z_STREAM_END;
    }
    return out.size() - stream_.avail_out;
  }

 private:
  // A file may be several gzip members one after the other.
  void begin_member(std::string_view chunk) {
    if (chunk[0] != kGzipMagic[0]) input_.fail("there is other data behind the gzip data");
    inflateReset(&stream_);
    between_members_ = false;
  }

  RawInput input_;
  z_stream stream_{};
  bool between_members_ = false;
};

class Zstd final : public Decompressor {
 public:
  explicit Zstd(RawInput input) : input_(std::move(input)), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_ == nullptr) input_.fail("no memory for decompression");
  }

  std::size_t read(std::span<char> out) override {
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    while (to.pos < to.size) {
      const std::string_view chunk = input_.peek();
      const std::size_t before = to.pos;
      ZSTD_inBuffer from{chunk.data(), chunk.size(), 0};
      if (chunk.empty() && between_frames_) break;
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &to, &from);
      if (ZSTD_isError(result))
        input_.fail(between_frames_ && !first_ ? "there is other data behind the zstd data"
                                               : std::string("the zstd data is corrupt: ") + ZSTD_getErrorName(result));
      if (chunk.empty() && to.pos == before) input_.fail("the zstd data is truncated");
      input_.consume(from.pos);
      between_frames_ = result == 0;
      first_ = false;
    }
    return to.pos;
  }

 private:
  RawInput input_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool between_frames_ = true;
  bool first_ = true;
};

bool is_zstd(std::string_view head) {
  constexpr std::string_view kFrame = "\x28\xB5\x2F\xFD";
  constexpr std::string_view kSkippableFrame = "\x2A\x4D\x18";  // behind a byte 0x50 .. 0x5F
  if (head.size() >= 2 && kFrame.starts_with(head.substr(0, kFrame.size()))) return true;
  return head.size() >= 4 && (head[0] & 0xF0) == 0x50 && head.substr(1).starts_with(kSkippableFrame);
}

}  // namespace

std::unique_ptr<Decompressor> open_decompressor(std::istream& in, std::string name) {
  struct Unsupported {
    std::string_view magic;
    const char* name;
  };
  using namespace std::string_view_literals;
  static constexpr Unsupported kUnsupported[] = {{"\xFD"
                                                  "7zXZ"sv,
                                                  "xz"},
                                                 {"BZh"sv, "bzip2"},
                                                 {"PK\x03\x04"sv, "zip"},
                                                 {"\x04\x22\x4D\x18"sv, "lz4"}};
  RawInput input(in, std::move(name));
  const std::string_view head = input.peek();
  if (head.starts_with(kGzipMagic)) return std::make_unique<Gzip>(std::move(input));
  if (is_zstd(head)) return std::make_unique<Zstd>(std::move(input));
  for (const Unsupported& format : kUnsupported)
    if (head.starts_with(format.magic))
      input.fail(std::string("it is compressed with ") + format.name + ", which is not undone here",
                 "decompress it, or use gzip or zstd");
  return std::make_unique<Plain>(std::move(input));
}

}  // namespace pothole
