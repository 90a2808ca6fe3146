#include "cli/in_flight.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "corpus/atomic_file.h"
#include "corpus/input_error.h"
#include "corpus/regular_file.h"

namespace pothole {
namespace {

// One line of text per slot: a number, or blanks.
constexpr std::size_t kDigits = 20, kLine = kDigits + 1;

}  // namespace

InFlight::InFlight(std::filesystem::path file, std::size_t slots) : file_(std::move(file)) {
  std::string blank;
  for (std::size_t i = 0; i < slots; ++i) blank += std::string(kDigits, ' ') + "\n";
  write_file(file_, blank);
  const int descriptor = ::open(file_.c_str(), O_RDWR | O_CLOEXEC);
  void* memory =
      descriptor < 0 ? MAP_FAILED : ::mmap(nullptr, blank.size(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (memory == MAP_FAILED)
    throw InputError(file_.string(), "cannot be mapped: " + std::generic_category().message(error));
  text_ = {static_cast<char*>(memory), blank.size()};
}

InFlight::~InFlight() {
  ::munmap(text_.data(), text_.size());
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

char* InFlight::place(std::size_t slot) { return text_.data() + slot * kLine; }

void InFlight::begin(std::size_t slot, std::uint64_t case_number) {
  char* const at = place(slot);
  const auto [end, error] = std::to_chars(at, at + kDigits, case_number);
  std::fill(end, at + kDigits, ' ');
}

void InFlight::end(std::size_t slot) { std::fill(place(slot), place(slot) + kDigits, ' '); }

std::vector<std::uint64_t> left_in_flight(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return {};
  const std::string text = read_regular_file(file);
  std::vector<std::uint64_t> cases;
  for (std::size_t at = 0; at + kLine <= text.size(); at += kLine) {
    std::uint64_t number = 0;
    if (std::from_chars(text.data() + at, text.data() + at + kDigits, number).ec == std::errc())
      cases.push_back(number);
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

}  // namespace pothole
