// "Did you mean ...": the nearest known word to one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pothole {

// The nearest by edit distance without regard to case, the first of equals; empty if none is near
// enough to have been meant.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

}  // namespace pothole
