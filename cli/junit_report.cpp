#include "cli/junit_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>

namespace pothole {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Null for a test that passed.
const char* element_of(JunitTest::Result result) {
  switch (result) {
    case JunitTest::Result::passed:
      return nullptr;
    case JunitTest::Result::failure:
      return "failure";
    case JunitTest::Result::error:
      return "error";
    case JunitTest::Result::skipped:
      return "skipped";
  }
  return nullptr;
}

void set(pugi::xml_node node, const char* name, std::string_view text) {
  node.append_attribute(name).set_value(xml_characters(text).c_str());
}

void add_test(pugi::xml_node suite, const JunitTest& t) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", t.group);
  set(test, "name", t.name);
  if (!t.file.empty()) set(test, "file", t.file);
  const char* const element = element_of(t.result);
  if (element == nullptr) return;
  pugi::xml_node outcome = test.append_child(element);
  if (!t.type.empty()) set(outcome, "type", t.type);
  set(outcome, "message", t.message);
  if (!t.detail.empty()) outcome.append_child(pugi::node_pcdata).set_value(xml_characters(t.detail).c_str());
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

std::string junit_xml(std::string_view name, std::span<const JunitTest> tests) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  const auto count = [&](JunitTest::Result result) {
    return static_cast<long long>(
        std::count_if(tests.begin(), tests.end(), [&](const JunitTest& t) { return t.result == result; }));
  };
  set(suite, "name", name);
  suite.append_attribute("tests") = static_cast<unsigned long long>(tests.size());
  suite.append_attribute("failures") = count(JunitTest::Result::failure);
  suite.append_attribute("errors") = count(JunitTest::Result::error);
  suite.append_attribute("skipped") = count(JunitTest::Result::skipped);
  for (const JunitTest& test : tests) add_test(suite, test);
  std::ostringstream out;
  document.save(out, "  ");
  std::string text = out.str();
  text.pop_back();
  return text;
}

}  // namespace pothole
