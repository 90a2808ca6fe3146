// The digest finds every torn or edited file; the checks behind it keep a file made by another program
// from breaking what the engine takes for granted.
#include "corpus/checkpoint.h"

#include <algorithm>
#include <array>
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

constexpr std::string_view kAnyFormat = "pothole-checkpoint/";
constexpr std::string_view kFormat = "pothole-checkpoint/1";

// No search comes so far; what adds up such numbers cannot overflow.
constexpr std::int64_t kCountMax = std::int64_t{1} << 53;
constexpr std::int64_t kStepsMax = std::int64_t{1} << 40;  // of one execution, counted for each into a sum

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

Json json_of(const SearchWork& work) {
  return {{"states_merged", work.states_merged},
          {"distinct_steps", work.distinct_steps},
          {"execution_steps", work.execution_steps}};
}

Json json_of(const SweepPart& part) {
  Json json;
  json["place"] = part.place;
  json["work"] = json_of(part.work);
  json["steps_since_look"] = part.steps_since_look;
  json["steps_since_shed"] = part.steps_since_shed;
  json["steps_before_shedding"] = part.steps_before_shedding;
  json["states"] = Json::array();
  for (const SweepPart::PartState& state : part.states) {
    Json branches = Json::array();
    for (const SweepPart::Branch& b : state.branches) branches.push_back({b.from, b.to, b.steps});
    json["states"].push_back({{"digest", state.digest}, {"done", state.done}, {"branches", std::move(branches)}});
  }
  return json;
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
  json["work"] = json_of(map.work);
  json["under_way"] = Json::array();
  for (const auto& part : map.under_way)
    if (part) json["under_way"].push_back(json_of(*part));
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
    const std::string content = read_regular_file(file_);
    if (!content.starts_with('{')) fail(kNoCheckpoint, kFirstLine);
    const std::size_t head_end = content.find('\n');
    const Json head = object(std::string_view(content).substr(0, head_end));
    const bool named = head.contains("format") && head["format"].is_string();
    const std::string format = named ? head["format"].get<std::string>() : "";
    if (!format.starts_with(kAnyFormat)) fail(kNoCheckpoint, kFirstLine);
    if (format != kFormat) {
      fail("is a checkpoint of another version, " + format + "; this pothole reads " + std::string(kFormat),
           "go on with the pothole that wrote it, or start again without it");
    }
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
    check_keys(json, {"trace", "policy", "dealloc", "overhead_limit", "comparison", "seed", "range", "work",
                      "under_way", "executions"});
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
    map.work = work(member(json, "work"));
    const Json& list = list_of(json, "executions");
    map.executions.reserve(list.size());
    Bytes next = map.range.from;
    for (const Json& element : list) {
      map.executions.push_back(execution(element));
      const Execution& e = map.executions.back();
      if (e.from < next || e.to <= e.from) fail("the executions must be in order");
      next = e.to;
    }
    for (const Json& element : list_of(json, "under_way"))
      map.under_way.push_back(std::make_shared<const SweepPart>(part(element)));
    check_disjoint(map);
    check_sums(map);
    return map;
  }

  SearchWork work(const Json& json) const {
    check_keys(json, {"states_merged", "distinct_steps", "execution_steps"});
    return {count(json, "states_merged"), count(json, "distinct_steps"), count(json, "execution_steps")};
  }

  SweepPart part(const Json& json) const {
    check_keys(json, {"place", "work", "steps_since_look", "steps_since_shed", "steps_before_shedding", "states"});
    SweepPart part;
    part.place = static_cast<std::size_t>(count(json, "place"));
    part.work = work(member(json, "work"));
    part.steps_since_look = count(json, "steps_since_look");
    part.steps_since_shed = count(json, "steps_since_shed");
    part.steps_before_shedding = count(json, "steps_before_shedding");
    for (const Json& element : list_of(json, "states")) part.states.push_back(part_state(element));
    if (part.states.empty()) fail("a part without states cannot be under way");
    return part;
  }

  SweepPart::PartState part_state(const Json& json) const {
    check_keys(json, {"digest", "done", "branches"});
    const Json &digest = member(json, "digest"), &done = member(json, "done");
    if (!digest.is_number_unsigned() || !done.is_boolean()) fail("the digest and \"done\" of a state must tell it");
    SweepPart::PartState state;
    state.digest = digest.get<std::uint64_t>();
    state.done = done.get<bool>();
    for (const Json& element : list_of(json, "branches")) {
      if (!element.is_array() || element.size() != 3) fail("a branch must be [from, to, steps]");
      state.branches.push_back({natural(element[0]), natural(element[1]), natural(element[2])});
      if (state.branches.back().steps > kStepsMax) fail("a branch of more than 2^40 steps cannot be");
    }
    if (state.branches.empty()) fail("a state must have branches");
    return state;
  }

  // Executions and branches alike; those of a state must ascend besides.
  void check_disjoint(const CheckpointMap& map) const {
    std::vector<BudgetRange> all;
    for (const Execution& e : map.executions) all.push_back({e.from, e.to});
    for (const auto& part : map.under_way) {
      for (const SweepPart::PartState& state : part->states) {
        for (const SweepPart::Branch& b : state.branches) all.push_back({b.from, b.to});
        if (!std::is_sorted(state.branches.begin(), state.branches.end(),
                            [](const SweepPart::Branch& a, const SweepPart::Branch& b) { return a.from < b.from; }))
          fail("the branches of a state must be in order");
      }
    }
    std::sort(all.begin(), all.end(), [](const BudgetRange& a, const BudgetRange& b) { return a.from < b.from; });
    Bytes next = map.range.from;
    for (const BudgetRange& r : all) {
      if (r.from < next || r.to <= r.from || r.to > map.range.to)
        fail("executions and branches must be in the range and disjoint");
      next = r.to;
    }
  }

  // Of the work of all parts, and of the steps that their executions have yet to add to it.
  void check_sums(const CheckpointMap& map) const {
    SearchWork sum = map.work;
    const auto check = [&] {
      if (std::max({sum.states_merged, sum.distinct_steps, sum.execution_steps}) > kCountMax)
        fail("the counts add up to more than 2^53, which cannot be");
    };
    for (const auto& part : map.under_way) {
      sum += part->work;
      check();
      for (const SweepPart::PartState& state : part->states) {
        for (const SweepPart::Branch& b : state.branches) {
          sum.execution_steps += b.steps;
          check();
        }
      }
    }
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
  const Json& list_of(const Json& object, const char* key) const {
    const Json& list = member(object, key);
    if (!list.is_array()) fail("\"" + std::string(key) + "\" must be an array");
    return list;
  }
  std::string text(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    if (!value.is_string()) fail("\"" + std::string(key) + "\" must be a string");
    return value.get<std::string>();
  }
  std::int64_t count(const Json& object, const char* key) const {
    const std::int64_t value = number(object, key);
    if (value > kCountMax) fail("\"" + std::string(key) + "\" is more than 2^53, which cannot be");
    return value;
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
