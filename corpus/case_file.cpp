// Writes cases.
#include "corpus/case_file.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "corpus/atomic_file.h"
#include "corpus/case_format.h"
#include "corpus/native_trace.h"
#include "corpus/sha256.h"
#include "engine/draft.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void add_question(Json& json, const Case& c) {
  json["policy"] = c.policy;
  if (c.policy_kind != "policy") json["policy_kind"] = c.policy_kind;
  json["dealloc"] = c.dealloc;
  json["overhead_limit"] = c.overhead_limit;
  json["comparison"] = c.comparison;
  json["seed"] = c.seed;
  json["property"] = c.property;
}

void add_answer(Json& json, const CaseAnswer& a) {
  json["kind"] = a.kind;
  if (a.budgets) json["budgets"] = {{"ok", a.budgets->ok}, {"oom", a.budgets->oom}, {"ok_above", a.budgets->ok_above}};
  if (!a.budgets && !a.is_closed()) json["evidence"] = a.evidence;
  json["text"] = a.text;
  json["signature"] = a.signature;
  if (a.map.empty()) return;
  json["range"] = {a.map_from, a.map_to};
  json["map"] = Json::array();
  for (const CaseSegment& s : a.map) json["map"].push_back({s.from, s.to, s.outcome});
}

Json provenance_json(const CaseProvenance& p) {
  Json json = {{"tool", p.tool}, {"origin", p.origin}};
  if (!p.origin_sha256.empty()) json["origin_sha256"] = p.origin_sha256;
  json["campaign_seed"] = p.campaign_seed;
  json["case"] = p.case_number;
  json["note"] = p.note;
  return json;
}

Json history_json(const std::vector<CaseChange>& history) {
  Json json = Json::array();
  for (const CaseChange& change : history) {
    Json was = {{"title", change.was.title}};
    add_answer(was, change.was);
    json.push_back({{"reason", change.reason}, {"tool", change.tool}, {"was", was}});
  }
  return json;
}

std::string program_text(const Case& c, const std::string& name) {
  std::ostringstream out;
  Trace trace;
  trace.name = name;
  trace.program = canonical(c.program);
  write_native_trace(out, trace);
  return out.str();
}

std::string text_of(const Json& json, const std::string& program) {
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += (text.size() > 1 ? ",\n" : "") + dumped(key) + ":" + dumped(value);
  return text + ",\n\"program\":" + program + "}\n";
}

}  // namespace

std::string case_text(const Case& c) {
  Json json;
  json["format"] = kCaseFormat;
  json["title"] = c.title;
  add_question(json, c);
  add_answer(json, c);
  json["provenance"] = provenance_json(c.provenance);
  if (!c.history.empty()) json["history"] = history_json(c.history);
  return text_of(json, program_text(c, c.title));
}

std::string case_file_name(const Case& c) {
  Json json;
  json["format"] = kCaseFormat;
  add_question(json, c);
  Sha256 hash;
  hash.add(text_of(json, program_text(c, "")));
  return hash.hex().substr(0, 16) + ".json";
}

bool add_case(const std::filesystem::path& folder, const Case& c) {
  const std::filesystem::path file = folder / case_file_name(c);
  std::error_code error;
  if (std::filesystem::exists(file, error)) return false;
  write_file(file, case_text(c));
  return true;
}

void change_answer(Case& c, CaseAnswer now, std::string reason, std::string tool) {
  CaseAnswer& answer = c;
  c.history.push_back({std::move(reason), std::move(tool), answer});
  answer = std::move(now);
}

}  // namespace pothole
