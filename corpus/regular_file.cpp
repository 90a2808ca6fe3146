#include "corpus/regular_file.h"

#include <cerrno>
#include <system_error>

#include "corpus/input_error.h"

namespace pothole {
namespace fs = std::filesystem;

std::ifstream open_regular_file(const fs::path& file) {
  const std::string name = file.empty() ? "''" : file.string();
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) throw InputError(name, "no such file");
  if (error) throw InputError(name, "cannot be read: " + error.message());
  if (fs::is_directory(status)) throw InputError(name, "is a directory", "name one file");
  if (!fs::is_regular_file(status))
    throw InputError(name, "is not a regular file", "write its content to a file first");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(name, "cannot be read: " + std::generic_category().message(errno));
  return in;
}

std::string read_regular_file(const fs::path& file) {
  std::ifstream in = open_regular_file(file);
  std::string content;
  // Only the stream itself notices a failed read: its buffer would throw through an iterator.
  std::string piece(std::size_t{1} << 16, '\0');
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
    content.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw InputError(file.string(), "cannot be read to its end: the system reports a read error");
  return content;
}

}  // namespace pothole
