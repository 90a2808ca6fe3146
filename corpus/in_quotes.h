// Text of the input inside a message: quoted, escaped and cut to a readable length, so that no file
// can write control characters or a megabyte to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace pothole {

std::string in_quotes(std::string_view text);

}  // namespace pothole
