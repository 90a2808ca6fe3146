// What the fields of a log line may hold, and the errors of those that hold something else.
#include <charconv>
#include <limits>
#include <unordered_set>

#include "corpus/dtr_log.h"
#include "corpus/in_quotes.h"

namespace pothole {
namespace {

using Kind = FieldValue::Kind;

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// As it stands in the log, for a message.
std::string written(const FieldValue& value) {
  if (value.kind == Kind::string) return in_quotes(value.text);
  if (value.kind == Kind::natural) return std::to_string(value.natural);
  const std::string shown = in_quotes(value.text);
  return shown.substr(1, shown.size() - 2);
}

// Anything above kLargestQuantity stands for "too large"; nothing stands for "not a natural number".
std::optional<std::uint64_t> natural(const FieldValue& value) {
  if (value.kind == Kind::natural) return value.natural;
  if (!is_digits(value.text)) return std::nullopt;
  std::uint64_t number = 0;
  const auto result = std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
  return result.ec == std::errc() ? number : std::numeric_limits<std::uint64_t>::max();
}

std::string why_not_natural(const std::string& key, const FieldValue& value) {
  const bool negative = value.text.size() > 1 && value.text[0] == '-' && is_digits(value.text.substr(1));
  return key + (negative ? " has a sign: " : " is not an integer: ") + written(value);
}

}  // namespace

const FieldValue& DtrLogReader::value(Field field, Kind kind) const {
  const FieldValue& found = record_[field];
  if (found.kind == kind) return found;
  refuse(field, kind_name(kind));
}

// A number or a decimal string, still unread.
const FieldValue& DtrLogReader::number(Field field) const {
  const FieldValue& found = record_[field];
  if (found.kind == Kind::natural || found.kind == Kind::number || found.kind == Kind::string) return found;
  refuse(field, "an integer");
}

void DtrLogReader::refuse(Field field, std::string_view wanted) const {
  const FieldValue& found = record_[field];
  const std::string key(field_key(field));
  const FieldValue& instruction = record_[Field::instruction];
  if (found.kind == Kind::missing)
    fail(field == Field::instruction || instruction.kind != Kind::string ? key + " is missing"
                                                                         : instruction.text + " without " + key);
  fail(key + " must be " + std::string(wanted) + ", not " + std::string(kind_name(found.kind)));
}

std::vector<std::string> DtrLogReader::texts(Field field) const {
  std::vector<std::string> out;
  for (const FieldValue& element : value(field, Kind::array).elements) {
    if (element.kind != Kind::string)
      fail(std::string(field_key(field)) + " must hold names, but element " + std::to_string(out.size()) + " is " +
           std::string(kind_name(element.kind)));
    out.push_back(element.text);
  }
  return out;
}

std::int64_t DtrLogReader::quantity(Field field) const {
  const FieldValue& found = number(field);
  const std::string key(field_key(field));
  const auto amount = natural(found);
  if (!amount) fail(why_not_natural(key, found), key + " is a decimal integer from 0 to 2^62");
  if (*amount > std::uint64_t{kLargestQuantity}) fail(key + " is larger than 2^62: " + written(found));
  return static_cast<std::int64_t>(*amount);
}

std::int64_t DtrLogReader::alias_position(std::size_t argument_count) const {
  const FieldValue& found = number(Field::alias);
  if (found.kind != Kind::natural && found.text == "-1") return ProgramBuilder::Output::kFresh;
  const auto position = natural(found);
  const std::string fix = "-1 for a fresh storage, else the position of the argument it is a view of";
  if (!position) fail(why_not_natural("ALIAS", found), fix);
  if (*position >= argument_count)
    fail("ALIAS is out of range: " + written(found) + ", but the CALL in line " + std::to_string(pending_->line) +
             " has " + std::to_string(argument_count) + " argument(s)",
         fix);
  return static_cast<std::int64_t>(*position);
}

std::vector<TensorId> DtrLogReader::arguments(const std::vector<std::string>& names) const {
  std::vector<TensorId> out;
  for (const std::string& name : names) out.push_back(tensor_of(name, "ARGS"));
  return out;
}

std::vector<std::size_t> DtrLogReader::mutated_positions(std::size_t argument_count) const {
  std::vector<std::size_t> out;
  std::unordered_set<std::uint64_t> seen;
  for (const FieldValue& element : value(Field::mutate, Kind::array).elements) {
    if (element.kind == Kind::number) fail(why_not_natural("a MUTATE index", element));
    if (element.kind != Kind::natural)
      fail("MUTATE must hold argument positions, but element " + std::to_string(out.size()) + " is " +
           std::string(kind_name(element.kind)));
    if (element.natural >= argument_count)
      fail("MUTATE index " + std::to_string(element.natural) + " is out of range: there are " +
           std::to_string(argument_count) + " argument(s)");
    if (!seen.insert(element.natural).second) fail("MUTATE index " + std::to_string(element.natural) + " is repeated");
    out.push_back(element.natural);
  }
  if (out.empty()) fail("MUTATE is empty: it must name at least one argument position");
  return out;
}

}  // namespace pothole
