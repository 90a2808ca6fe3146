#include "cli/junit_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

#include "cli/reproduction.h"

namespace pothole {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// What a verdict is in the words of JUnit; null for a test that passed.
const char* element_of(const CaseReplay& replay) {
  if (!replay.was_run) return "skipped";
  if (differs(replay.judgement.verdict)) return "failure";
  return replay.judgement.verdict == CaseVerdict::same ? nullptr : "error";
}

void set(pugi::xml_node node, const char* name, std::string_view text) {
  node.append_attribute(name).set_value(xml_characters(text).c_str());
}

void add_case(pugi::xml_node suite, const CaseReplay& replay) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", replay.record ? replay.record->policy : "unread");
  set(test, "name", replay.file.filename().string() + (replay.record ? ": " + replay.record->title : ""));
  set(test, "file", replay.file.string());
  const char* const element = element_of(replay);
  if (element == nullptr) return;
  pugi::xml_node outcome = test.append_child(element);
  if (replay.was_run) set(outcome, "type", name_of(replay.judgement.verdict));
  set(outcome, "message", replay.judgement.why);
  if (replay.was_run && replay.record)
    outcome.append_child(pugi::node_pcdata)
        .set_value(xml_characters(reproduction(*replay.record, replay.file)).c_str());
}

}  // namespace

std::string xml_characters(std::string_view text) {
  using Json = nlohmann::json;
  // The library's writer makes any text valid UTF-8.
  const std::string valid =
      Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  std::string allowed;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const auto c = static_cast<unsigned char>(valid[i]);
    const std::string_view rest = std::string_view(valid).substr(i);
    const bool is_noncharacter = rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF");
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || is_noncharacter) {
      allowed += kReplacement;
      i += is_noncharacter ? 2 : 0;
    } else {
      allowed += valid[i];
    }
  }
  return allowed;
}

std::string junit_xml(std::span<const CaseReplay> replays) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  const auto count = [&](std::string_view element) {
    return std::count_if(replays.begin(), replays.end(),
                         [&](const CaseReplay& r) { return element_of(r) != nullptr && element == element_of(r); });
  };
  suite.append_attribute("name") = "pothole replay";
  suite.append_attribute("tests") = static_cast<unsigned long long>(replays.size());
  suite.append_attribute("failures") = static_cast<long long>(count("failure"));
  suite.append_attribute("errors") = static_cast<long long>(count("error"));
  suite.append_attribute("skipped") = static_cast<long long>(count("skipped"));
  for (const CaseReplay& replay : replays) add_case(suite, replay);
  std::ostringstream out;
  document.save(out, "  ");
  std::string text = out.str();
  text.pop_back();
  return text;
}

}  // namespace pothole
