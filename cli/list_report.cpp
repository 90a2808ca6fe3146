// Everything said about a policy stands in its own record: a new policy needs no line here.
#include "cli/list_report.h"

#include <fmt/format.h>

#include "cli/json_number.h"
#include "cli/table.h"
#include "engine/scores/expression.h"

namespace pothole {
namespace {

using Json = nlohmann::ordered_json;

std::string joined(const std::vector<std::string_view>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string parameter_text(const Parameter& p) {
  return fmt::format("{} ({}{} to {}, standard {}): {}", p.key, p.integer ? "whole number, " : "", p.least, p.most,
                     p.standard, p.help);
}

// A number, or the word that stands for it.
std::string value_text(const GeneratorParameter& p, std::int64_t value) {
  return p.names.empty() ? std::to_string(value) : std::string(p.names[static_cast<std::size_t>(value)]);
}

Json value_json(const GeneratorParameter& p, std::int64_t value) {
  return p.names.empty() ? Json(value) : Json(p.names[static_cast<std::size_t>(value)]);
}

std::string range_text(const GeneratorParameter& p) {
  if (!p.names.empty()) return fmt::format("{}", fmt::join(p.names, ", "));
  return fmt::format("{} to {}", p.least, p.most);
}

}  // namespace

std::string policy_json(const Policy& policy) {
  Json json;
  json["name"] = policy.name;
  json["alias"] = policy.alias.empty() ? Json(nullptr) : Json(policy.alias);
  json["sentence"] = policy.sentence;
  json["formula"] = policy.formula;
  json["source"] = policy.source;
  json["needs"] = names_of(policy.needs);
  json["parameters"] = Json::array();
  for (const Parameter& p : policy.parameters) {
    json["parameters"].push_back({{"key", p.key},
                                  {"standard", plain_number(p.standard)},
                                  {"least", plain_number(p.least)},
                                  {"most", plain_number(p.most)},
                                  {"integer", p.integer},
                                  {"help", p.help}});
  }
  return json.dump();
}

std::string policies_text(std::span<const Policy> policies) {
  std::string text;
  for (const Policy& policy : policies) {
    if (!text.empty()) text += "\n";
    text += policy.name;
    if (!policy.alias.empty()) text += fmt::format(" (also {})", policy.alias);
    text += fmt::format("\n  {}\n  formula     {}\n", policy.sentence, policy.formula);
    const auto needs = names_of(policy.needs);
    text += fmt::format("  needs       {}\n", needs.empty() ? "nothing beyond the candidate itself" : joined(needs));
    for (const Parameter& p : policy.parameters) text += fmt::format("  parameter   {}\n", parameter_text(p));
    text += fmt::format("  source      {}\n", policy.source);
  }
  text +=
      "\nLetters: c compute of the storage, m its size, s ticks since its last access, F and R the evicted\n"
      "storages reachable from it along children and parents, C(.) their compute, Q that of their classes,\n"
      "k how often the storage was evicted so far.\n";
  return text;
}

std::string scores_json() {
  Json json;
  for (const VariableInfo& v : score_variables())
    json["variables"].push_back({{"name", v.name}, {"help", v.help}, {"needs", names_of(v.needs)}});
  for (const OperatorInfo& o : score_operators()) json["operators"].push_back({{"name", o.name}, {"help", o.help}});
  for (const FunctionInfo& f : score_functions()) json["functions"].push_back({{"name", f.name}, {"help", f.help}});
  return json.dump();
}

std::string scores_text() {
  std::string text =
      "A score is an expression about a storage of the pool; the least is evicted, of equal ones the last in the "
      "pool,\n"
      "and one of exactly 0 ends the search.\n";
  const auto add = [&](const char* title, const auto& infos) {
    Table table({{title}, {""}});
    for (const auto& info : infos) table.add_row({std::string(info.name), std::string(info.help)});
    text += "\n";
    for (const std::string& line : table.lines("  ")) text += line + "\n";
  };
  add("variable", score_variables());
  add("operator", score_operators());
  add("function", score_functions());
  text +=
      "\nSums, products, quotients and whole powers of variables and whole numbers are exact and rounded once at the\n"
      "end; a number with a point, sqrt, log, exp and other powers compute with doubles, each correctly rounded.\n"
      "A whole number may take 8192 bits; where it might take more the score is refused: m ^ 130 is exact, m ^ 131\n"
      "is refused, m ^ 131.0 is a double. x / 0 is infinity.\n"
      "A score that is not a number, such as log(0 - m), is a policy error.\n"
      "DTR is '(c + e) / (m * s)'.\n";
  return text;
}

std::string property_json(const Property& property) {
  Json json;
  json["name"] = property.name;
  json["sentence"] = property.sentence;
  json["reason"] = property.reason;
  json["breach"] = name_of(property.breach);
  json["kinds"] = property.kinds;
  return json.dump();
}

std::string properties_text(std::span<const Property> properties) {
  std::string text;
  for (const Property& property : properties) {
    const bool contract = property.breach == Breach::contract;
    text += fmt::format(
        "{}\n  {}\n  why         {}\n  a violation is {}\n\n", property.name, property.sentence, property.reason,
        contract ? "a broken contract: a mistake in pothole (exit 3)" : "a finding about the policy (exit 1)");
  }
  return text + "Check them with pothole check TRACE --property NAME[,NAME...].\n";
}

std::string generator_json(const Generator& generator) {
  Json json;
  json["name"] = generator.name;
  json["sentence"] = generator.sentence;
  json["source"] = generator.source.empty() ? Json(nullptr) : Json(generator.source);
  json["parameters"] = Json::array();
  for (const GeneratorParameter& p : generator.parameters) {
    Json parameter = {{"key", p.key},
                      {"standard", value_json(p, p.standard)},
                      {"least", value_json(p, p.least)},
                      {"most", value_json(p, p.most)},
                      {"drawn_least", value_json(p, p.drawn_least)},
                      {"drawn_most", value_json(p, p.drawn_most)},
                      {"words", Json(nullptr)},
                      {"help", p.help}};
    if (!p.names.empty()) parameter["words"] = p.names;
    json["parameters"].push_back(std::move(parameter));
  }
  return json.dump();
}

std::string generators_text(std::span<const Generator> generators) {
  std::string text;
  for (const Generator& generator : generators) {
    text += fmt::format("{}\n  {}\n", generator.name, generator.sentence);
    if (!generator.source.empty()) text += fmt::format("  source      {}\n", generator.source);
    for (const GeneratorParameter& p : generator.parameters)
      text += fmt::format("  {} ({}, standard {}): {}\n", p.key, range_text(p), value_text(p, p.standard), p.help);
    text += "\n";
  }
  return text +
         "Each has a seed too (standard 0). gen:NAME?key=value&key=value&seed=N stands wherever a trace can;\n"
         "quote it in a shell, which takes & for the end of a command.\n";
}

std::string format_json(std::string_view name, std::string_view sentence) {
  return Json{{"name", name}, {"sentence", sentence}}.dump();
}

}  // namespace pothole
