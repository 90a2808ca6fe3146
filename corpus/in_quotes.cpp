// Escapes as JSON does; everything that is not ASCII is kept when it is valid UTF-8.
#include "corpus/in_quotes.h"

#include <nlohmann/json.hpp>

namespace pothole {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string shown(text.substr(0, kLongest));
  // A cut through a character leaves its continuation bytes outside.
  if (shown.size() < text.size())
    for (std::size_t n = kLongest; n > 0 && (text[n] & 0xC0) == 0x80; --n) shown.resize(n - 1);
  std::string out = nlohmann::json(shown).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (shown.size() < text.size()) out.insert(out.size() - 1, "...");
  return out;
}

}  // namespace pothole
