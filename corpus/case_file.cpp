#include "corpus/case_file.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "corpus/atomic_file.h"
#include "corpus/in_quotes.h"
#include "corpus/input_error.h"
#include "corpus/json_record.h"
#include "corpus/native_trace.h"
#include "corpus/regular_file.h"
#include "corpus/sha256.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pothole-case/1";

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// All that is claimed, in the order of the file.
Json claim_of(const Case& c) {
  Json json;
  json["format"] = kFormat;
  json["title"] = c.title;
  json["policy"] = c.policy;
  if (c.policy_kind != "policy") json["policy_kind"] = c.policy_kind;
  json["dealloc"] = c.dealloc;
  json["overhead_limit"] = c.overhead_limit;
  json["comparison"] = c.comparison;
  json["seed"] = c.seed;
  json["property"] = c.property;
  json["kind"] = c.kind;
  if (c.budgets) json["budgets"] = {{"ok", c.budgets->ok}, {"oom", c.budgets->oom}, {"ok_above", c.budgets->ok_above}};
  if (!c.budgets) json["evidence"] = c.evidence;
  json["text"] = c.text;
  json["signature"] = c.signature;
  json["range"] = {c.map_from, c.map_to};
  json["map"] = Json::array();
  for (const CaseSegment& s : c.map) json["map"].push_back({s.from, s.to, s.outcome});
  return json;
}

std::string native_text(const Case& c) {
  std::ostringstream out;
  Trace trace;
  trace.name = c.title;
  trace.program = c.program;
  write_native_trace(out, trace);
  return out.str();
}

std::string text_with(const Case& c, bool provenance) {
  std::string text = "{";
  const Json claim = claim_of(c);
  for (const auto& [key, value] : claim.items())
    text += (text.size() > 1 ? ",\n" : "") + dumped(key) + ":" + dumped(value);
  if (provenance) {
    const CaseProvenance& p = c.provenance;
    text += ",\n\"provenance\":" + dumped({{"tool", p.tool},
                                           {"origin", p.origin},
                                           {"campaign_seed", p.campaign_seed},
                                           {"case", p.case_number},
                                           {"note", p.note}});
  }
  return text + ",\n\"program\":" + native_text(c) + "}\n";
}

// Reads one object, key by key, so that each error names the key.
class CaseReader {
 public:
  CaseReader(std::string name, const Json& json) : name_(std::move(name)), json_(json) {}

  Case read() {
    check_keys(json_, {"format", "title", "policy", "policy_kind", "dealloc", "overhead_limit", "comparison", "seed",
                       "property", "kind", "budgets", "evidence", "text", "signature", "range", "map", "provenance",
                       "program"});
    if (text("format") != kFormat)
      fail("the format is " + in_quotes(text("format")) + ", not a case that is known",
           "known: " + std::string(kFormat));
    Case c;
    c.title = text("title");
    c.policy = text("policy");
    c.policy_kind = text_or("policy_kind", "policy");
    if (c.policy_kind != "policy" && c.policy_kind != "score" && c.policy_kind != "plugin")
      fail("\"policy_kind\" is " + in_quotes(c.policy_kind), "policy, score or plugin");
    c.dealloc = text_or("dealloc", "eager");
    c.overhead_limit = text_or("overhead_limit", "60");
    c.comparison = text_or("comparison", "reference");
    if (json_.contains("seed")) c.seed = natural(json_["seed"], "seed");
    c.property = text_or("property", "no-hole");
    c.kind = text_or("kind", "hole");
    c.text = text_or("text", "");
    c.signature = text_or("signature", "");
    read_budgets(c);
    read_map(c);
    read_provenance(c);
    read_program(c);
    return c;
  }

 private:
  void read_budgets(Case& c) const {
    if (json_.contains("budgets")) {
      const Json& budgets = object(json_["budgets"], "budgets");
      check_keys(budgets, {"ok", "oom", "ok_above"});
      c.budgets = {bytes_of(budgets, "ok"), bytes_of(budgets, "oom"), bytes_of(budgets, "ok_above")};
      if (c.budgets->ok >= c.budgets->oom || c.budgets->oom >= c.budgets->ok_above)
        fail("the budgets are not in order", "ok below oom below ok_above");
    }
    if (!json_.contains("evidence")) return;
    for (const Json& budget : array(json_["evidence"], "evidence")) c.evidence.push_back(bytes(budget, "evidence"));
  }

  void read_map(Case& c) const {
    if (!json_.contains("map")) return;
    const Json& range = array(member("range"), "range");
    if (range.size() != 2) fail("\"range\" must be two budgets");
    c.map_from = bytes(range[0], "range");
    c.map_to = bytes(range[1], "range");
    for (const Json& segment : array(json_["map"], "map")) {
      if (!segment.is_array() || segment.size() != 3 || !segment[2].is_string())
        fail("\"map\" must hold segments such as [9,10,\"oom\"]");
      c.map.push_back({bytes(segment[0], "map"), bytes(segment[1], "map"), segment[2].get<std::string>()});
    }
  }

  void read_provenance(Case& c) const {
    if (!json_.contains("provenance")) return;
    const Json& p = object(json_["provenance"], "provenance");
    check_keys(p, {"tool", "origin", "campaign_seed", "case", "note"});
    const auto word = [&](const char* key) {
      if (!p.contains(key)) return std::string();
      if (!p[key].is_string()) fail(in_quotes(key) + " must be a string");
      return p[key].get<std::string>();
    };
    c.provenance = {word("tool"), word("origin"), word("campaign_seed"), 0, word("note")};
    if (p.contains("case")) c.provenance.case_number = natural(p["case"], "case");
  }

  void read_program(Case& c) const {
    std::istringstream in(dumped(object(member("program"), "program")));
    Source source(in, name_ + ": the program");
    Trace trace;
    read_native_trace(source, {}, trace);
    c.program = std::move(trace.program);
  }

  const Json& member(const char* key) const {
    if (!json_.contains(key)) fail(in_quotes(key) + " is missing");
    return json_[key];
  }
  std::string text(const char* key) const {
    const Json& value = member(key);
    if (!value.is_string()) fail(in_quotes(key) + " must be a string");
    return value.get<std::string>();
  }
  std::string text_or(const char* key, const char* otherwise) const {
    return json_.contains(key) ? text(key) : std::string(otherwise);
  }
  std::uint64_t natural(const Json& value, const char* key) const {
    if (!value.is_number_unsigned()) fail(in_quotes(key) + " must be a whole number, without sign, fraction or quotes");
    return value.get<std::uint64_t>();
  }
  Bytes bytes(const Json& value, const char* key) const {
    const std::uint64_t number = natural(value, key);
    if (number > static_cast<std::uint64_t>(kLargestQuantity) * 2 - 1)
      fail(in_quotes(key) + " holds a budget beyond 2^63");
    return static_cast<Bytes>(number);
  }
  Bytes bytes_of(const Json& object, const char* key) const {
    if (!object.contains(key)) fail(in_quotes(key) + " is missing");
    return bytes(object[key], key);
  }
  const Json& object(const Json& value, const char* key) const {
    if (!value.is_object()) fail(in_quotes(key) + " must be an object");
    return value;
  }
  const Json& array(const Json& value, const char* key) const {
    if (!value.is_array()) fail(in_quotes(key) + " must be an array");
    return value;
  }
  void check_keys(const Json& json, std::initializer_list<std::string_view> known) const {
    for (const auto& [key, value] : json.items())
      if (std::find(known.begin(), known.end(), key) == known.end()) fail("unknown key " + in_quotes(key));
  }
  [[noreturn]] void fail(const std::string& what, const std::string& fix = "") const {
    throw InputError(name_, what, fix);
  }

  const std::string name_;
  const Json& json_;
};

std::size_t line_at(std::string_view text, std::size_t byte) {
  return 1 + static_cast<std::size_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n'));
}

// Refuses repeated keys, of which the library would keep the last.
class KeyCheck {
 public:
  explicit KeyCheck(std::string name) : name_(std::move(name)) {}
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    constexpr int kDeepest = 16;
    if (depth > kDeepest) throw InputError(name_, "malformed JSON: nested too deep");
    keys_.resize(std::max<std::size_t>(keys_.size(), static_cast<std::size_t>(depth) + 2));
    if (event == Json::parse_event_t::object_start) keys_[static_cast<std::size_t>(depth) + 1].clear();
    if (event != Json::parse_event_t::key) return true;
    const auto& key = parsed.get_ref<const std::string&>();
    if (!keys_[static_cast<std::size_t>(depth)].insert(key).second)
      throw InputError(name_, "the key " + in_quotes(key) + " is repeated");
    return true;
  }

 private:
  std::string name_;
  std::vector<std::set<std::string>> keys_;  // seen in the open objects, by depth
};

Case case_of(const std::string& text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text,
                       [check = std::make_shared<KeyCheck>(name)](int depth, Json::parse_event_t event, Json& parsed) {
                         return (*check)(depth, event, parsed);
                       });
  } catch (const Json::parse_error& error) {
    throw InputError(name + ":" + std::to_string(line_at(text, error.byte)),
                     "malformed JSON: " + json_complaint(error.what()));
  }
  if (!json.is_object()) throw InputError(name, "is not a case: not a JSON object");
  return CaseReader(name, json).read();
}

std::string whole(Source& source) {
  constexpr std::size_t kLargest = std::size_t{1} << 28;
  std::string text;
  for (std::string_view piece = source.peek(); !piece.empty(); piece = source.peek()) {
    text += piece;
    source.consume(piece.size());
    if (text.size() > kLargest) throw InputError(source.name(), "the case is larger than 256 MiB");
  }
  return text;
}

}  // namespace

std::string case_text(const Case& c) { return text_with(c, true); }

std::string case_file_name(const Case& c) {
  Sha256 hash;
  hash.add(text_with(c, false));
  return hash.hex().substr(0, 16) + ".json";
}

Case read_case(const std::filesystem::path& file) { return case_of(read_regular_file(file), file.string()); }

bool add_case(const std::filesystem::path& folder, const Case& c) {
  const std::filesystem::path file = folder / case_file_name(c);
  std::error_code error;
  if (std::filesystem::exists(file, error)) return false;
  write_file(file, case_text(c));
  return true;
}

bool is_case(std::string_view head) {
  return is_native_trace(head) && head.find("\"pothole-case/") < head.find("\"pothole-trace/");
}

void read_case_as_trace(Source& source, const ReadOptions&, Trace& trace) {
  Case c = case_of(whole(source), source.name());
  trace.name = c.title;
  trace.program = std::move(c.program);
}

}  // namespace pothole
