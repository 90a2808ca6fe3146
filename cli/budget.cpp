// Fractions are taken digit by digit in integers: 0.1 GB is 100,000,000 bytes and nothing else.
#include "cli/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "corpus/input_error.h"
#include "engine/run.h"

namespace pothole {
namespace {

constexpr std::string_view kSuffixes = "B, kB, MB, GB (powers of 1000), KiB, MiB, GiB (powers of 1024)";

struct Unit {
  std::string_view suffix;
  std::int64_t bytes;
};
constexpr std::array<Unit, 7> kUnits = {{{"B", 1},
                                         {"kB", 1'000},
                                         {"MB", 1'000'000},
                                         {"GB", 1'000'000'000},
                                         {"KiB", std::int64_t{1} << 10},
                                         {"MiB", std::int64_t{1} << 20},
                                         {"GiB", std::int64_t{1} << 30}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void refuse(const std::string& option, std::string_view text, std::string_view what, std::string fix) {
  throw InputError(option, fmt::format("'{}' {}", text, what), std::move(fix));
}

std::int64_t unit_of(std::string_view suffix, std::string_view text, const std::string& option) {
  if (suffix.empty()) return 1;
  for (const Unit& unit : kUnits) {
    if (unit.suffix == suffix) return unit.bytes;
  }
  // KB, kb, mib and the like: which power is meant is for the user to say.
  refuse(option, text, fmt::format("has the unknown suffix '{}'", suffix),
         fmt::format("write whole bytes or one of {}", kSuffixes));
}

// digits * unit, or nothing beyond the largest quantity.
std::optional<Bytes> whole_part(std::string_view digits, std::int64_t unit) {
  WideCost value = 0;
  for (char c : digits) {
    value = value * 10 + (c - '0');
    if (value * unit > kLargestQuantity) return std::nullopt;
  }
  return static_cast<Bytes>(value * unit);
}

// 0.digits * unit, or nothing if that is no whole number. From the last digit on: where the result is
// whole, every step is.
std::optional<Bytes> fraction_part(std::string_view digits, std::int64_t unit) {
  std::int64_t value = 0;
  for (auto c = digits.rbegin(); c != digits.rend(); ++c) {
    value += (*c - '0') * unit;
    if (value % 10 != 0) return std::nullopt;
    value /= 10;
  }
  return value;
}

}  // namespace

Bytes parse_budget(std::string_view text, const std::string& option) {
  const std::string example = "write whole bytes such as 1046362683, a size such as 1.5GB, or use a ratio of the peak";
  if (text.empty()) refuse(option, text, "is empty", example);
  if (text.find_first_of(" \t\r\n") != text.npos) {
    refuse(option, text, "contains a blank", "write the suffix right after the number, such as 1.5GB");
  }
  if (text[0] == '-') refuse(option, text, "is negative", example);
  const auto digits_end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view whole(text.begin(), digits_end);
  std::string_view rest(digits_end, text.end());
  std::string_view fraction;
  const bool has_point = !rest.empty() && rest[0] == '.';
  if (has_point) {
    const auto fraction_end = std::find_if_not(rest.begin() + 1, rest.end(), is_digit);
    fraction = {rest.begin() + 1, fraction_end};
    rest = {fraction_end, rest.end()};
  }
  if (whole.empty() || (has_point && fraction.empty())) refuse(option, text, "is not a number of bytes", example);
  if (has_point && rest.empty()) {
    refuse(option, text, "is a fraction without a unit",
           "a budget is in whole bytes, or has a suffix such as 1.5GB; a share of the trace's peak is a ratio");
  }
  const std::int64_t unit = unit_of(rest, text, option);
  const auto large = whole_part(whole, unit);
  if (!large) refuse(option, text, "is too large", "the largest budget is 4611686018427387904 bytes");
  const auto small = fraction_part(fraction, unit);
  if (!small) refuse(option, text, "is not a whole number of bytes", "give the bytes themselves");
  const Bytes budget = *large + *small;
  if (budget > kLargestQuantity)
    refuse(option, text, "is too large", "the largest budget is 4611686018427387904 bytes");
  if (budget == 0) refuse(option, text, "is zero", "the least budget is 1 byte");
  return budget;
}

double parse_ratio(std::string_view text, const std::string& option) {
  const std::string example = "write a positive number such as 0.104; 1 is the trace's peak";
  double ratio = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ratio);
  if (error == std::errc::result_out_of_range) refuse(option, text, "is out of range", example);
  if (error != std::errc() || end != text.data() + text.size()) {
    const bool sized = !text.empty() && is_digit(text[0]) && text.back() == 'B';
    refuse(option, text, "is not a number", sized ? "a size in bytes is a budget, not a ratio" : example);
  }
  if (!std::isfinite(ratio)) refuse(option, text, "is not finite", example);
  if (ratio <= 0) refuse(option, text, ratio == 0 ? "is zero" : "is negative", example);
  return ratio;
}

Bytes checked_budget_at_ratio(Bytes peak, double ratio, const std::string& option) {
  const std::string text = fmt::format("{}", ratio);
  if (static_cast<double>(peak) * ratio > static_cast<double>(kLargestQuantity)) {
    refuse(option, text, fmt::format("of the peak of {} bytes is too large", peak), "use a smaller ratio");
  }
  const Bytes budget = budget_at_ratio(peak, ratio);
  if (budget < 1) {
    refuse(option, text, fmt::format("of the peak of {} bytes is less than one byte", peak), "use a larger ratio");
  }
  return budget;
}

std::string short_bytes(Bytes bytes) {
  constexpr std::array<std::string_view, 7> kNames = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes);
  std::size_t name = 0;
  while (value >= 999.5 && name + 1 < kNames.size()) {
    value /= 1000;
    ++name;
  }
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, digits, kNames[name]);
}

}  // namespace pothole
