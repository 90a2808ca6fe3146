// What a stream can show: lines for a file, colours and redrawing for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pothole {

enum class Stream { output, error };

// A terminal whose lines can be redrawn in place.
bool can_redraw(Stream stream);

// Columns of the terminal; 80 where that is not known.
std::size_t columns_of(Stream stream);

// On a terminal that can show them, unless NO_COLOR is set.
bool has_colours(Stream stream);

enum class Colour { red, green, bold };

// The text, coloured if `enabled`.
std::string paint(std::string_view text, Colour colour, bool enabled);

}  // namespace pothole
