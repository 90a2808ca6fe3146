// Compressing a whole text. The same text always gives the same bytes: no time, no file name.
#pragma once

#include <string>
#include <string_view>

namespace pothole {

std::string gzip_compressed(std::string_view text);
std::string zstd_compressed(std::string_view text);

}  // namespace pothole
