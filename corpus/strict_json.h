// Reads what a record holds and nothing else: what the JSON library would convert, or leave out without a word, is
// refused. Complaints are std::invalid_argument, without the name of the file.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pothole {

// A key that is repeated would be read as its last value. Malformed text is the library's parse_error.
nlohmann::ordered_json parsed_once(std::string_view text);

// `what` ("it", "a row") is an object with exactly these members. For the others below it has been checked that the key
// is there.
void check_members(const nlohmann::ordered_json& json, const std::string& what,
                   const std::vector<std::string_view>& members);

const nlohmann::ordered_json& list_of(const nlohmann::ordered_json& json, const char* key);
std::string word_of(const nlohmann::ordered_json& json, const char* key);
std::vector<std::string> words_of(const nlohmann::ordered_json& json, const char* key);
bool flag_of(const nlohmann::ordered_json& json, const char* key);

// Counts add up without overflow.
inline constexpr std::int64_t kCountMost = std::int64_t{1} << 53;
std::int64_t count_of(const nlohmann::ordered_json& json, const char* key);

// Any number that 64 bits hold.
std::uint64_t natural_of(const nlohmann::ordered_json& json, const char* key);

// All of a list, each from `least` to `most`.
std::vector<std::int64_t> numbers_of(const nlohmann::ordered_json& json, const char* key, std::int64_t least,
                                     std::int64_t most);

}  // namespace pothole
