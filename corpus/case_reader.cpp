// Reads cases, strictly: what is not understood is refused, by its line.
#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "corpus/case_file.h"
#include "corpus/case_format.h"
#include "corpus/in_quotes.h"
#include "corpus/input_error.h"
#include "corpus/json_places.h"
#include "corpus/json_record.h"
#include "corpus/native_trace.h"
#include "corpus/regular_file.h"
#include "corpus/strict_json.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSegmentExample = "write segments such as [9,10,\"oom\"], in budget order and inside the range";

// Reads one object, key by key, so that each error names the line of the key.
class CaseReader {
 public:
  CaseReader(std::string name, const std::string& text, const Json& json)
      : name_(std::move(name)), text_(text), json_(json), places_(json_places(text)) {}

  Case read() {
    if (word(json_, "format") != kCaseFormat)
      fail("format", "the format is " + in_quotes(word(json_, "format")) + ", not a case that is known",
           "known: " + std::string(kCaseFormat));
    check_keys(json_, {"format", "title", "policy", "policy_kind", "dealloc", "overhead_limit", "comparison", "seed",
                       "property", "kind", "budgets", "evidence", "text", "signature", "range", "map", "provenance",
                       "history", "program"});
    Case c;
    c.policy = word(json_, "policy");
    c.policy_kind = word_or(json_, "policy_kind", "policy");
    if (c.policy_kind != "policy" && c.policy_kind != "score" && c.policy_kind != "plugin")
      fail("policy_kind", "\"policy_kind\" is " + in_quotes(c.policy_kind), "write policy, score or plugin");
    c.dealloc = word_or(json_, "dealloc", "eager");
    c.overhead_limit = word_or(json_, "overhead_limit", "60");
    c.comparison = word_or(json_, "comparison", "reference");
    if (json_.contains("seed")) c.seed = natural(json_["seed"], "seed");
    c.property = word_or(json_, "property", kHoleProperty);
    read_answer(json_, c);
    read_provenance(c);
    read_history(c);
    read_program(c);
    return c;
  }

 private:
  void read_answer(const Json& json, CaseAnswer& a) {
    a.title = word(json, "title");
    if (std::any_of(a.title.begin(), a.title.end(), [](unsigned char c) { return c < ' '; }))
      fail("title", "\"title\" is not one line", "leave out line breaks and control characters");
    a.kind = word_or(json, "kind", kHoleKind);
    a.text = word_or(json, "text", "");
    a.signature = word_or(json, "signature", "");
    read_budgets(json, a);
    read_map(json, a);
    if (a.budgets && !a.map.empty()) check_budgets(a);
  }

  void read_budgets(const Json& json, CaseAnswer& a) {
    for (const char* key : {"budgets", "evidence"})
      if (a.is_closed() && json.contains(key))
        fail(key, "\"kind\" is closed, so that there are no " + in_quotes(key), "leave one of them out");
    if (json.contains("budgets")) {
      const Json& budgets = object(json["budgets"], "budgets");
      const std::string outside = std::exchange(at_, at_.empty() ? "budgets" : at_);
      check_keys(budgets, {"ok", "oom", "ok_above"});
      a.budgets = {bytes_of(budgets, "ok"), bytes_of(budgets, "oom"), bytes_of(budgets, "ok_above")};
      at_ = outside;
      if (a.budgets->ok >= a.budgets->oom || a.budgets->oom >= a.budgets->ok_above)
        fail("budgets", "the budgets are not in order", "ok below oom below ok_above");
    }
    if (!json.contains("evidence")) return;
    for (const Json& budget : array(json["evidence"], "evidence")) a.evidence.push_back(bytes(budget, "evidence"));
  }

  void read_map(const Json& json, CaseAnswer& a) {
    if (!json.contains("map")) return;
    const Json& range = array(member(json, "range"), "range");
    if (range.size() != 2) fail("range", "\"range\" must be two budgets", "write [from,to], such as [1,18]");
    a.map_from = bytes(range[0], "range");
    a.map_to = bytes(range[1], "range");
    Bytes from = a.map_from;
    for (const Json& segment : array(json["map"], "map")) {
      if (!segment.is_array() || segment.size() != 3 || !segment[2].is_string())
        fail("map", "\"map\" must hold segments", kSegmentExample);
      a.map.push_back({bytes(segment[0], "map"), bytes(segment[1], "map"), segment[2].get<std::string>()});
      const CaseSegment& s = a.map.back();
      if (s.from < from || s.to <= s.from || s.to > a.map_to)
        fail("map", "the segments of \"map\" are not in order", kSegmentExample);
      from = s.to;
      constexpr Outcome kAll[] = {Outcome::ok, Outcome::oom, Outcome::thrashed, Outcome::unresolved,
                                  Outcome::policy_error};
      if (std::none_of(std::begin(kAll), std::end(kAll), [&](Outcome o) { return name_of(o) == s.outcome; }))
        fail("map", "there is no outcome " + in_quotes(s.outcome),
             "write ok, oom, thrashed, unresolved or policy error");
    }
  }

  void check_budgets(const CaseAnswer& a) {
    const auto check = [&](Bytes budget, Outcome outcome) {
      const auto at = std::find_if(a.map.begin(), a.map.end(),
                                   [&](const CaseSegment& s) { return s.from <= budget && budget < s.to; });
      if (at != a.map.end() && at->outcome == name_of(outcome)) return;
      fail("budgets",
           "\"budgets\" names " + std::to_string(budget) + " as " + std::string(name_of(outcome)) +
               ", which \"map\" does not",
           "correct one of them, or leave out the map");
    };
    check(a.budgets->ok, Outcome::ok);
    check(a.budgets->oom, Outcome::oom);
    check(a.budgets->ok_above, Outcome::ok);
  }

  void read_provenance(Case& c) {
    if (!json_.contains("provenance")) return;
    const Json& p = object(json_["provenance"], "provenance");
    at_ = "provenance";
    check_keys(p, {"tool", "origin", "origin_sha256", "campaign_seed", "case", "note"});
    c.provenance = {word_or(p, "tool", ""),
                    word_or(p, "origin", ""),
                    word_or(p, "origin_sha256", ""),
                    word_or(p, "campaign_seed", ""),
                    0,
                    word_or(p, "note", "")};
    if (p.contains("case")) c.provenance.case_number = natural(p["case"], "case");
    at_.clear();
  }

  void read_history(Case& c) {
    if (!json_.contains("history")) return;
    for (const Json& entry : array(json_["history"], "history")) {
      at_ = "history";
      check_keys(object(entry, "history"), {"reason", "tool", "was"});
      CaseChange& change = c.history.emplace_back();
      change.reason = word(entry, "reason");
      change.tool = word_or(entry, "tool", "");
      const Json& was = object(member(entry, "was"), "was");
      check_keys(was, {"title", "kind", "budgets", "evidence", "text", "signature", "range", "map"});
      read_answer(was, change.was);
    }
    at_.clear();
  }

  // As it is written, after as many empty lines as stand before it, so that errors name lines of the file.
  void read_program(Case& c) {
    object(member(json_, "program"), "program");
    const JsonPlace& place = places_.find("program")->second;
    std::istringstream in(std::string(place.value_line - 1, '\n') +
                          text_.substr(place.value_begin, place.value_end - place.value_begin));
    Source source(in, name_);
    Trace trace;
    read_native_trace(source, {}, trace);
    c.program = std::move(trace.program);
  }

  const Json& member(const Json& json, const char* key) {
    if (!json.contains(key)) fail("", in_quotes(key) + " is missing", "corpus/README.md lists the keys of a case");
    return json[key];
  }
  std::string word(const Json& json, const char* key) {
    const Json& value = member(json, key);
    if (!value.is_string()) fail(key, in_quotes(key) + " must be a string", "put it in double quotes");
    return value.get<std::string>();
  }
  std::string word_or(const Json& json, const char* key, std::string_view otherwise) {
    return json.contains(key) ? word(json, key) : std::string(otherwise);
  }
  std::uint64_t natural(const Json& value, const char* key) {
    if (!value.is_number_unsigned())
      fail(key, in_quotes(key) + " must be a whole number", "write it without sign, fraction or quotes");
    return value.get<std::uint64_t>();
  }
  Bytes bytes(const Json& value, const char* key) {
    const std::uint64_t number = natural(value, key);
    if (number > static_cast<std::uint64_t>(kLargestQuantity) * 2 - 1)
      fail(key, in_quotes(key) + " holds a budget beyond 2^63", "budgets are bytes");
    return static_cast<Bytes>(number);
  }
  Bytes bytes_of(const Json& json, const char* key) { return bytes(member(json, key), key); }
  const Json& object(const Json& value, const char* key) {
    if (!value.is_object()) fail(key, in_quotes(key) + " must be an object", "write {...}");
    return value;
  }
  const Json& array(const Json& value, const char* key) {
    if (!value.is_array()) fail(key, in_quotes(key) + " must be an array", "write [...]");
    return value;
  }
  void check_keys(const Json& json, std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : json.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        fail(key, "unknown key " + in_quotes(key), "corpus/README.md lists the keys of a case");
  }

  // What is inside another object is told by the line of that object's key.
  [[noreturn]] void fail(const std::string& key, const std::string& what, const std::string& fix) const {
    const auto place = places_.find(at_.empty() ? key : at_);
    throw InputError(name_ + (place == places_.end() ? "" : ":" + std::to_string(place->second.line)), what, fix);
  }

  const std::string name_;
  const std::string& text_;
  const Json& json_;
  const std::map<std::string, JsonPlace, std::less<>> places_;
  std::string at_;  // the key of the object that is being read, empty at the top
};

std::size_t line_at(std::string_view text, std::size_t byte) {
  return 1 + static_cast<std::size_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n'));
}

Case case_of(const std::string& text, const std::string& name) {
  Json json;
  try {
    json = parsed_once(text);
  } catch (const Json::parse_error& error) {
    throw InputError(name + ":" + std::to_string(line_at(text, error.byte)),
                     "malformed JSON: " + json_complaint(error.what()));
  } catch (const std::invalid_argument& error) {
    throw InputError(name, error.what());
  }
  if (!json.is_object()) throw InputError(name, "is not a case: not a JSON object");
  return CaseReader(name, text, json).read();
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

Case read_case(const std::filesystem::path& file) { return case_of(read_regular_file(file), file.string()); }

bool is_case(std::string_view head) {
  return is_native_trace(head) && head.find("\"pothole-case/") < head.find("\"pothole-trace/");
}

void read_case_as_trace(Source& source, const ReadOptions&, Trace& trace) {
  Case c = case_of(whole(source), source.name());
  trace.name = c.title;
  trace.program = std::move(c.program);
}

}  // namespace pothole
