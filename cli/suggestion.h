// "Did you mean ...": the nearest known word to one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pothole {

// The nearest by edit distance, the first of equals; empty if none is near enough to be meant.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

}  // namespace pothole
