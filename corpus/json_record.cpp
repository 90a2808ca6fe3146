// Fills a record from the events of the JSON library.
#include "corpus/json_record.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace pothole {
namespace {

using Json = nlohmann::json;
using Kind = FieldValue::Kind;

constexpr std::array<std::string_view, kFieldCount> kKeys = {
    "INSTRUCTION", "ANNOTATION", "NAME", "MEMORY", "ALIAS", "ARGS", "RESULT", "MUTATE", "TIME", "DST", "SRC"};

class RecordEvents final : public nlohmann::json_sax<Json> {
 public:
  RecordEvents(JsonRecord& record, std::size_t line_length) : record_(record), line_length_(line_length) {
    for (FieldValue& field : record_.fields) field.kind = Kind::missing;
  }

  bool null() override { return take(Kind::null); }
  bool boolean(bool) override { return take(Kind::boolean); }
  bool number_unsigned(number_unsigned_t value) override {
    if (FieldValue* to = place(Kind::natural)) to->natural = value;
    return root_is_object();
  }
  // Called for numbers with a minus sign only, so that 0 means -0.
  bool number_integer(number_integer_t value) override {
    if (FieldValue* to = place(Kind::number)) to->text = value == 0 ? "-0" : std::to_string(value);
    return root_is_object();
  }
  bool number_float(number_float_t, const string_t& written) override {
    if (FieldValue* to = place(Kind::number)) to->text = written;
    return root_is_object();
  }
  bool string(string_t& value) override {
    if (FieldValue* to = place(Kind::string)) to->text = std::move(value);
    return root_is_object();
  }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override {
    if (depth_ > 0) place(Kind::object);
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (FieldValue* to = place(Kind::array)) to->elements.clear();
    ++depth_;
    return root_is_object_after(depth_ > 1);
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    current_ = nullptr;
    for (std::size_t f = 0; f < kFieldCount; ++f)
      if (kKeys[f] == name) current_ = &record_.fields[f];
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) override {
    const std::string at = " at byte " + std::to_string(std::min(position, line_length_));
    constexpr int kNumberOutOfRange = 406;
    const std::string complaint = json_complaint(error.what());
    // The library counts one more byte when it has run into the end.
    problem.torn = position > line_length_ && depth_ > 0;
    if (problem.torn)
      problem.what = "torn line, the JSON object is not complete: " + complaint;
    else if (error.id == kNumberOutOfRange)
      problem.what = "number too large for any field" + at;
    else if (complaint.find("UTF-8") != std::string::npos)
      problem.what = "invalid UTF-8" + at;
    else
      problem.what = "malformed JSON" + at + ": " + complaint;
    return false;
  }

  JsonProblem problem;

 private:
  bool take(Kind kind) {
    place(kind);
    return root_is_object();
  }

  // Where a value that starts now belongs, or nowhere.
  FieldValue* place(Kind kind) {
    if (current_ == nullptr || depth_ == 0 || depth_ > 2) return nullptr;
    if (depth_ == 1) {
      current_->kind = kind;
      return current_;
    }
    if (current_->kind != Kind::array) return nullptr;
    current_->elements.emplace_back().kind = kind;
    return &current_->elements.back();
  }

  bool root_is_object() { return root_is_object_after(depth_ > 0); }
  bool root_is_object_after(bool inside) {
    if (!inside) problem.what = "the line is JSON but not an object";
    return inside;
  }

  JsonRecord& record_;
  std::size_t line_length_;
  std::size_t depth_ = 0;
  FieldValue* current_ = nullptr;
};

}  // namespace

std::string_view field_key(Field field) { return kKeys[static_cast<std::size_t>(field)]; }

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 8> kNames = {"missing",  "null",     "a boolean", "a number",
                                                      "a number", "a string", "an array",  "an object"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string json_complaint(std::string_view message) {
  // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error while parsing
  // value - invalid literal; last read: '...'; expected ...". What was read last can hold anything.
  const std::size_t dash = message.find(" - ");
  if (dash == std::string_view::npos) return std::string(message.substr(message.find("] ") + 2));
  std::string_view rest = message.substr(dash + 3);
  std::string complaint(rest.substr(0, std::min(rest.find("; last read: "), rest.find("; expected "))));
  const std::size_t expected = rest.rfind("; expected ");
  if (expected != std::string_view::npos) complaint += ", " + std::string(rest.substr(expected + 2));
  return complaint;
}

JsonProblem read_json_record(std::string_view line, JsonRecord& record) {
  // The library takes a NUL for the end of the text.
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos)
    return {"NUL byte at byte " + std::to_string(nul + 1), false};
  RecordEvents events(record, line.size());
  Json::sax_parse(line.begin(), line.end(), &events);
  return events.problem;
}

}  // namespace pothole
