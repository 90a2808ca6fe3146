// Strict on purpose: a misspelt optional key would otherwise run something else than was asked for.
#include "cli/batch_line.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/budget.h"
#include "cli/options.h"
#include "corpus/input_error.h"
#include "engine/nearest_word.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kKeys = {"trace",  "log",   "policy",         "score",   "plugin",
                                        "budget", "ratio", "overhead_limit", "dealloc", "comparison"};
constexpr std::string_view kKeysText =
    "trace or log, policy, score or plugin, budget or ratio, overhead_limit, dealloc, comparison";

Json parse_object(std::string_view text, const std::string& where) {
  std::set<std::string> keys;
  std::string doubled;
  const auto notice_doubled = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth == 1 && event == Json::parse_event_t::key) {
      const auto key = value.get<std::string>();
      if (!keys.insert(key).second && doubled.empty()) doubled = key;
    }
    return true;
  };
  Json json = Json::parse(text.begin(), text.end(), notice_doubled, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw InputError(where, "not valid JSON", "a batch has one JSON object per line");
  if (!json.is_object()) throw InputError(where, "not a JSON object", "a batch has one JSON object per line");
  if (!doubled.empty()) throw InputError(where, fmt::format("key \"{}\" is there twice", doubled), "");
  for (const auto& [key, value] : json.items()) {
    if (std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) continue;
    const std::string nearest = nearest_word(key, kKeys);
    throw InputError(
        where, fmt::format("unknown key \"{}\"", key),
        nearest.empty() ? fmt::format("the keys are {}", kKeysText) : fmt::format("did you mean \"{}\"?", nearest));
  }
  return json;
}

const Json* find(const Json& json, const char* key) {
  const auto place = json.find(key);
  return place == json.end() ? nullptr : &*place;
}

std::string text_of(const Json& value, const char* key, const std::string& where) {
  if (!value.is_string()) throw InputError(where, fmt::format("\"{}\" is not a string", key), "");
  return value.get<std::string>();
}

// Of keys that exclude each other, the one that is there.
std::string_view one_of(const Json& json, std::initializer_list<const char*> keys, const std::string& where) {
  std::vector<std::string_view> given;
  for (const char* key : keys)
    if (json.contains(key)) given.push_back(key);
  if (given.size() > 1) {
    throw InputError(where, fmt::format("both \"{}\" and \"{}\" are given", given[0], given[1]), "leave out one");
  }
  if (given.empty()) {
    throw InputError(where, fmt::format("neither \"{}\" is given", fmt::join(keys, "\" nor \"")), "give one");
  }
  return given[0];
}

std::vector<std::string> log_of(const Json& value, const std::string& where) {
  if (!value.is_array()) throw InputError(where, "\"log\" is not a list of lines", "give each line as a string");
  std::vector<std::string> lines;
  for (const Json& line : value) {
    if (!line.is_string()) throw InputError(where, "\"log\" is not a list of lines", "give each line as a string");
    lines.push_back(line.get<std::string>());
  }
  return lines;
}

// Numbers go through their text: a fraction or an exponent gets the refusal an option would get.
Bytes budget_of(const Json& value, const std::string& where) {
  if (value.is_string()) return parse_budget(value.get<std::string>(), where + ": budget");
  if (value.is_number_integer()) return parse_budget(value.dump(), where + ": budget");
  throw InputError(where, "\"budget\" is not a whole number of bytes",
                   "write an integer, a size such as \"1.5GB\", or give \"ratio\" instead");
}

double ratio_of(const Json& value, const std::string& where) {
  if (!value.is_number()) throw InputError(where, "\"ratio\" is not a number", "");
  return parse_ratio(value.dump(), where + ": ratio");
}

}  // namespace

BatchLine parse_batch_line(std::string_view text, const RunSettings& defaults, const std::string& where,
                           const BatchPlugins& plugins) {
  const Json json = parse_object(text, where);
  BatchLine line;
  line.settings = defaults;
  const bool has_file = one_of(json, {"trace", "log"}, where) == std::string_view("trace");
  if (has_file) {
    line.trace = text_of(json["trace"], "trace", where);
    if (line.trace.empty()) throw InputError(where, "\"trace\" is empty", "name a trace file");
  } else {
    line.log = log_of(json["log"], where);
  }
  const std::string_view kind = one_of(json, {"policy", "score", "plugin"}, where);
  if (kind == "policy") {
    line.settings.policy = checked_policy(text_of(json["policy"], "policy", where), where);
  } else if (kind == "score") {
    line.settings.policy = checked_score(text_of(json["score"], "score", where), where);
  } else {
    const std::string file = (plugins.folder / text_of(json["plugin"], "plugin", where)).string();
    line.settings.policy = checked_plugin(file, plugins.limit, where);
  }
  if (one_of(json, {"budget", "ratio"}, where) == std::string_view("budget")) {
    line.budget = budget_of(json["budget"], where);
  } else {
    line.ratio = ratio_of(json["ratio"], where);
  }
  if (const Json* limit = find(json, "overhead_limit")) {
    if (!limit->is_number() && !limit->is_string()) throw InputError(where, "\"overhead_limit\" is not a number", "");
    const std::string written = limit->is_string() ? limit->get<std::string>() : limit->dump();
    line.settings.overhead_limit = checked_overhead_limit(written, where);
  }
  if (const Json* dealloc = find(json, "dealloc")) {
    line.settings.dealloc = checked_dealloc(text_of(*dealloc, "dealloc", where), where);
  }
  if (const Json* comparison = find(json, "comparison")) {
    line.settings.comparison = checked_comparison(text_of(*comparison, "comparison", where), where);
  }
  check_runnable(line.settings, where);
  return line;
}

}  // namespace pothole
