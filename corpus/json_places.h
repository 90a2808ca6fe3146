// Where the keys of a JSON object stand in its text, for messages that name a line: the JSON library does not say.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace pothole {

struct JsonPlace {
  std::size_t line = 1;                        // of the key
  std::size_t value_line = 1;                  // where its value begins
  std::size_t value_begin = 0, value_end = 0;  // bytes [begin, end) of the value, without blanks around it
};

// By key, the first of those repeated. The text is a JSON object that has been found well-formed.
std::map<std::string, JsonPlace, std::less<>> json_places(std::string_view text);

}  // namespace pothole
