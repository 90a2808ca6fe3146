#include "corpus/strict_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "corpus/in_quotes.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 16;  // nothing of a record is nested so deep

[[noreturn]] void refuse(const char* key, const std::string& what) {
  throw std::invalid_argument(in_quotes(key) + " must " + what);
}

}  // namespace

Json parsed_once(std::string_view text) {
  std::vector<std::set<std::string>> open;  // the keys seen, of the objects that are open
  return Json::parse(text.begin(), text.end(), [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest) throw std::invalid_argument("malformed JSON: nested too deep");
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event != Json::parse_event_t::key) return true;
    const auto& key = parsed.get_ref<const std::string&>();
    if (!open.back().insert(key).second) throw std::invalid_argument("the key " + in_quotes(key) + " is repeated");
    return true;
  });
}

void check_members(const Json& json, const std::string& what, const std::vector<std::string_view>& members) {
  if (!json.is_object()) throw std::invalid_argument(what + " must be an object");
  for (const std::string_view key : members)
    if (!json.contains(key)) throw std::invalid_argument(what + " has no " + in_quotes(key));
  for (const auto& [key, value] : json.items())
    if (std::find(members.begin(), members.end(), key) == members.end())
      throw std::invalid_argument(what + " has an unknown member " + in_quotes(key));
}

const Json& list_of(const Json& json, const char* key) {
  if (!json.at(key).is_array()) refuse(key, "be a list");
  return json.at(key);
}

std::string word_of(const Json& json, const char* key) {
  if (!json.at(key).is_string()) refuse(key, "be a string");
  return json.at(key).get<std::string>();
}

std::vector<std::string> words_of(const Json& json, const char* key) {
  std::vector<std::string> words;
  for (const Json& word : list_of(json, key)) {
    if (!word.is_string()) refuse(key, "hold strings");
    words.push_back(word.get<std::string>());
  }
  return words;
}

bool flag_of(const Json& json, const char* key) {
  if (!json.at(key).is_boolean()) refuse(key, "be true or false");
  return json.at(key).get<bool>();
}

std::int64_t count_of(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned() || std::cmp_greater(value.get<std::uint64_t>(), kCountMost))
    refuse(key, "be a whole number up to 2^53");
  return value.get<std::int64_t>();
}

std::uint64_t natural_of(const Json& json, const char* key) {
  if (!json.at(key).is_number_unsigned()) refuse(key, "be a whole number");
  return json.at(key).get<std::uint64_t>();
}

std::vector<std::int64_t> numbers_of(const Json& json, const char* key, std::int64_t least, std::int64_t most) {
  std::vector<std::int64_t> numbers;
  for (const Json& value : list_of(json, key)) {
    if (!value.is_number_unsigned() || std::cmp_less(value.get<std::uint64_t>(), least) ||
        std::cmp_greater(value.get<std::uint64_t>(), most))
      refuse(key, "hold whole numbers from " + std::to_string(least) + " to " + std::to_string(most));
    numbers.push_back(value.get<std::int64_t>());
  }
  return numbers;
}

}  // namespace pothole
