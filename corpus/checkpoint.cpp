// The digest finds every torn or edited file; the checks behind it keep a file made by another program
// from breaking what the engine takes for granted.
#include "corpus/checkpoint.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "corpus/in_quotes.h"
#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/regular_file.h"
#include "corpus/sha256.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-checkpoint/1";
constexpr std::array kOutcomes = {Outcome::ok, Outcome::oom, Outcome::thrashed};

std::string digest_of(std::string_view text) {
  Sha256 digest;
  digest.add(text);
  return digest.hex();
}

// By hand: there may be millions.
void append_execution(std::string& text, const Execution& e) {
  text += '[';
  text += std::to_string(e.from) + ',' + std::to_string(e.to) + ",\"";
  text += name_of(e.outcome);
  text += "\"," + std::to_string(e.model_compute) + ',' + std::to_string(e.remat_compute) + ']';
}

void append_map(std::string& text, const CheckpointMap& map) {
  Json json;
  json["trace"] = {{"name", map.trace_name}, {"sha256", map.trace_sha256}};
  json["policy"] = map.policy;
  json["dealloc"] = map.dealloc;
  json["overhead_limit"] = map.overhead_limit;
  json["comparison"] = map.comparison;
  json["seed"] = map.seed;
  json["range"] = {map.range.from, map.range.to};
  json["work"] = {{"states_merged", map.work.states_merged},
                  {"distinct_steps", map.work.distinct_steps},
                  {"execution_steps", map.work.execution_steps}};
  text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.back() = ',';  // in place of the brace
  text += "\"executions\":[";
  bool first = true;
  for (const Execution& e : map.executions) {
    if (!is_evidence(e.outcome)) continue;
    if (!first) text += ',';
    first = false;
    append_execution(text, e);
  }
  text += "]}\n";
}

class CheckpointReader {
 public:
  explicit CheckpointReader(std::string file) : file_(std::move(file)) {}

  Checkpoint read() {
    constexpr const char* kNoCheckpoint = "is not a checkpoint of a hunt";
    constexpr const char* kFirstLine = "its first line would name the format pothole-checkpoint/1";
    const std::string content = whole_file();
    if (!content.starts_with('{')) fail(kNoCheckpoint, kFirstLine);
    const std::size_t head_end = content.find('\n');
    const Json head = object(std::string_view(content).substr(0, head_end));
    if (!head.contains("format") || !head["format"].is_string() || head["format"] != kFormat)
      fail(kNoCheckpoint, kFirstLine);
    check_keys(head, {"format", "tool", "maps", "sha256"});
    Checkpoint checkpoint;
    checkpoint.tool = text(head, "tool");
    const std::int64_t count = number(head, "maps");
    std::string_view rest = head_end == content.npos ? "" : std::string_view(content).substr(head_end + 1);
    if (digest_of(rest) != text(head, "sha256"))
      fail("is torn or was edited: its content does not have the digest it names", "start again without it");
    for (; !rest.empty(); rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1))) {
      ++line_;
      checkpoint.maps.push_back(map(object(rest.substr(0, rest.find('\n')))));
    }
    if (count != static_cast<std::int64_t>(checkpoint.maps.size())) fail("does not hold as many maps as it says");
    return checkpoint;
  }

 private:
  std::string whole_file() const {
    std::ifstream in = open_regular_file(file_);
    std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (in.bad()) throw InputError(file_, "cannot be read");
    return content;
  }

  Json object(std::string_view line) const {
    try {
      Json json = Json::parse(line);
      if (json.is_object()) return json;
    } catch (const Json::exception& error) {
      fail("malformed JSON: " + json_complaint(error.what()));
    }
    fail("is not a JSON object");
  }

  CheckpointMap map(const Json& json) const {
    check_keys(json,
               {"trace", "policy", "dealloc", "overhead_limit", "comparison", "seed", "range", "work", "executions"});
    CheckpointMap map;
    const Json& trace = member(json, "trace");
    check_keys(trace, {"name", "sha256"});
    map.trace_name = text(trace, "name");
    map.trace_sha256 = text(trace, "sha256");
    map.policy = text(json, "policy");
    map.dealloc = text(json, "dealloc");
    map.overhead_limit = text(json, "overhead_limit");
    map.comparison = text(json, "comparison");
    const Json& seed = member(json, "seed");
    if (!seed.is_number_unsigned()) fail("\"seed\" must be a natural number");
    map.seed = seed.get<std::uint64_t>();
    map.range = range(member(json, "range"));
    const Json& work = member(json, "work");
    check_keys(work, {"states_merged", "distinct_steps", "execution_steps"});
    map.work = {number(work, "states_merged"), number(work, "distinct_steps"), number(work, "execution_steps")};
    const Json& list = member(json, "executions");
    if (!list.is_array()) fail("\"executions\" must be an array");
    map.executions.reserve(list.size());
    Bytes next = map.range.from;
    for (const Json& element : list) {
      map.executions.push_back(execution(element));
      const Execution& e = map.executions.back();
      if (e.from < next || e.to <= e.from || e.to > map.range.to)
        fail("the executions must be in the range, in order and disjoint");
      next = e.to;
    }
    return map;
  }

  BudgetRange range(const Json& json) const {
    if (!json.is_array() || json.size() != 2) fail("\"range\" must be two budgets");
    const BudgetRange range{natural(json[0]), natural(json[1])};
    if (range.from < 1 || range.to <= range.from || range.to > kLargestQuantity + 1)
      fail("the range is empty or wrong");
    return range;
  }

  Execution execution(const Json& json) const {
    if (!json.is_array() || json.size() != 5 || !json[2].is_string())
      fail("an execution must be [from, to, outcome, model compute, remat compute]");
    for (const Outcome outcome : kOutcomes) {
      if (name_of(outcome) == json[2].get_ref<const std::string&>())
        return {natural(json[0]), natural(json[1]), outcome, {}, natural(json[3]), natural(json[4])};
    }
    fail("unknown outcome " + in_quotes(json[2].get_ref<const std::string&>()));
  }

  const Json& member(const Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) fail("\"" + std::string(key) + "\" is missing");
    return object.at(key);
  }
  std::string text(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    if (!value.is_string()) fail("\"" + std::string(key) + "\" must be a string");
    return value.get<std::string>();
  }
  std::int64_t number(const Json& object, const char* key) const { return natural(member(object, key)); }
  std::int64_t natural(const Json& value) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
      fail("a number is not a natural one below 2^63");
    return value.get<std::int64_t>();
  }
  void check_keys(const Json& object, std::initializer_list<std::string_view> known) const {
    for (const auto& [key, value] : object.items())
      if (std::find(known.begin(), known.end(), key) == known.end()) fail("unknown key " + in_quotes(key));
  }
  [[noreturn]] void fail(const std::string& what, const std::string& fix = "") const {
    throw InputError(file_ + ":" + std::to_string(line_), what, fix);
  }

  const std::string file_;
  std::size_t line_ = 1;
};

}  // namespace

std::string checkpoint_text(const Checkpoint& checkpoint) {
  std::string rest;
  for (const CheckpointMap& map : checkpoint.maps) append_map(rest, map);
  Json head;
  head["format"] = kFormat;
  head["tool"] = checkpoint.tool;
  head["maps"] = checkpoint.maps.size();
  head["sha256"] = digest_of(rest);
  return head.dump() + "\n" + rest;
}

Checkpoint read_checkpoint(const std::filesystem::path& file) { return CheckpointReader(file.string()).read(); }

}  // namespace pothole
