// Which cases are being worked on, on disk from the moment that they begin: what is left there after a crash names its
// cases. A crash of the process loses nothing, as the file is memory that the kernel keeps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace pothole {

class InFlight {
 public:
  // Makes the file, with room for so many workers. Throws InputError.
  InFlight(std::filesystem::path file, std::size_t slots);
  ~InFlight();  // removes the file
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  void begin(std::size_t slot, std::uint64_t case_number);
  void end(std::size_t slot);

 private:
  char* place(std::size_t slot);

  const std::filesystem::path file_;
  std::span<char> text_;
};

// What an earlier campaign left in such a file, ascending; empty if there is none.
std::vector<std::uint64_t> left_in_flight(const std::filesystem::path& file);

}  // namespace pothole
