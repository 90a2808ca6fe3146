// One call each: what is written is made in memory anyway, because files are replaced as a whole.
#include "corpus/compress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>

namespace pothole {

std::string gzip_compressed(std::string_view text) {
  constexpr int kGzip = 16;
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  // zlib counts in 32 bits.
  constexpr std::size_t kStep = std::size_t{1} << 30;
  std::size_t read = 0;
  std::size_t written = 0;
  int result = Z_OK;
  while (result == Z_OK) {
    const uInt in = static_cast<uInt>(std::min(kStep, text.size() - read));
    const uInt room = static_cast<uInt>(std::min(kStep, out.size() - written));
    stream.avail_in = in;
    stream.avail_out = room;
    result = deflate(&stream, read + in == text.size() ? Z_FINISH : Z_NO_FLUSH);
    read += in - stream.avail_in;
    written += room - stream.avail_out;
  }
  out.resize(written);
  deflateEnd(&stream);
  return out;
}

std::string zstd_compressed(std::string_view text) {
  constexpr int kLevel = 19;
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();
  out.resize(size);
  return out;
}

}  // namespace pothole
