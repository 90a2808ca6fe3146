// One line of a DTR log: a JSON object read into the fields that the log format knows.
//
// Values are kept as they were written and are judged when they are used, because keys that nobody
// asks for are allowed to hold anything and of a repeated key only the last value counts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pothole {

enum class Field : std::uint8_t { instruction, annotation, name, memory, alias, args, result, mutate, time, dst, src };
inline constexpr std::size_t kFieldCount = 11;

// The key as it stands in the log.
std::string_view field_key(Field field);

struct FieldValue {
  enum class Kind : std::uint8_t { missing, null, boolean, natural, number, string, array, object };
  Kind kind = Kind::missing;
  std::uint64_t natural = 0;         // of kind natural: an integer without a sign, at most 2^64 - 1
  std::string text;                  // of a string; of kind number, which is every other one, as it was written
  std::vector<FieldValue> elements;  // of an array; theirs are not kept
};

// "a string", "an array": for messages.
std::string_view kind_name(FieldValue::Kind kind);

struct JsonRecord {
  std::array<FieldValue, kFieldCount> fields;
  const FieldValue& operator[](Field field) const { return fields[static_cast<std::size_t>(field)]; }
};

struct JsonProblem {
  std::string what;   // empty: the line is a JSON object
  bool torn = false;  // the line is the beginning of an object and ends too early
};

// Not recursive: nesting may be as deep as the line is long.
JsonProblem read_json_record(std::string_view line, JsonRecord& record);

// What the JSON library says of malformed text, without its own prefix and without quoting the text:
// "unexpected end of input, expected '}'".
std::string json_complaint(std::string_view library_message);

}  // namespace pothole
