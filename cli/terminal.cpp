// Terminal questions; see no-color.org for the meaning of NO_COLOR.
#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace pothole {
namespace {

int descriptor_of(Stream stream) { return stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO; }

int code_of(Colour colour) {
  switch (colour) {
    case Colour::red:
      return 31;
    case Colour::green:
      return 32;
    case Colour::bold:
      return 1;
  }
  return 0;
}

}  // namespace

bool can_redraw(Stream stream) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor_of(stream)) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::size_t columns_of(Stream stream) {
  winsize size = {};
  if (ioctl(descriptor_of(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool has_colours(Stream stream) {
  const char* refused = std::getenv("NO_COLOR");
  return can_redraw(stream) && (refused == nullptr || *refused == '\0');
}

std::string paint(std::string_view text, Colour colour, bool enabled) {
  return enabled ? fmt::format("\033[{}m{}\033[0m", code_of(colour), text) : std::string(text);
}

}  // namespace pothole
