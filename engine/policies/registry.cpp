#include "engine/policies/registry.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/nearest_word.h"

namespace pothole {
namespace {

// Names and aliases, in the order of the list.
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) {
    names.emplace_back(policy.name);
    if (!policy.alias.empty()) names.emplace_back(policy.alias);
  }
  return names;
}

std::string keys_of(const Policy& policy) {
  if (policy.parameters.empty()) return std::string(policy.name) + " has no parameters";
  std::string keys;
  for (const Parameter& p : policy.parameters) {
    if (!keys.empty()) keys += ", ";
    keys += p.key;
  }
  return std::string(policy.name) + " has: " + keys;
}

// One key=value. Returns false and explains in `error`.
bool set_parameter(ConfiguredPolicy& configured, std::string_view setting, PolicyError& error) {
  const Policy& policy = *configured.policy;
  const std::size_t equals = setting.find('=');
  const std::string_view key = setting.substr(0, equals);
  const auto at = std::find_if(policy.parameters.begin(), policy.parameters.end(),
                               [&](const Parameter& p) { return p.key == key; });
  if (at == policy.parameters.end() || equals == std::string_view::npos) {
    error = {"'" + std::string(setting) + "' is not a setting of policy " + std::string(policy.name), keys_of(policy)};
    return false;
  }
  const std::string_view text = setting.substr(equals + 1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = status == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  if (!number || value < at->least || value > at->most || (at->integer && value != std::floor(value))) {
    char range[96];
    std::snprintf(range, sizeof range, "%s from %g to %g", at->integer ? "a whole number" : "a number", at->least,
                  at->most);
    error = {"'" + std::string(text) + "' is no value of " + std::string(policy.name) + "'s " + std::string(key),
             "give " + std::string(range) + " (" + std::string(at->help) + ")"};
    return false;
  }
  configured.values[static_cast<std::size_t>(at - policy.parameters.begin())] = value;
  return true;
}

}  // namespace

std::vector<std::string_view> names_of(Features features) {
  static constexpr std::string_view kNames[] = {"forward", "reverse",   "union_walk", "classes",  "random",    "budget",
                                                "opaque",  "evictions", "arrivals",   "next_use", "centrality"};
  std::vector<std::string_view> names;
  for (std::size_t bit = 0; bit < std::size(kNames); ++bit)
    if (features.bits >> bit & 1) names.push_back(kNames[bit]);
  return names;
}

std::span<const Policy> policies() {
  static const std::vector<Policy> all = {
#define POTHOLE_POLICY(name) name(),
#include "engine/policies/policies.def"
#undef POTHOLE_POLICY
  };
  return all;
}

const Policy* find_policy(std::string_view name) {
  for (const Policy& policy : policies())
    if (policy.name == name || (!policy.alias.empty() && policy.alias == name)) return &policy;
  return nullptr;
}

ConfiguredPolicy configure_policy(std::string_view text, PolicyError& error) {
  const std::size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  ConfiguredPolicy configured;
  configured.policy = find_policy(name);
  configured.text = text;
  if (!configured.policy) {
    const std::string nearest = nearest_word(name, all_names());
    error = {"there is no policy '" + std::string(name) + "'",
             nearest.empty() ? "`pothole list policies` shows them all"
                             : "did you mean " + nearest + "? `pothole list policies` shows them all"};
    return {};
  }
  const auto settings = at == text.npos ? std::nullopt : std::optional(text.substr(at + 1));
  return set_parameters(configured, settings, error) ? configured : ConfiguredPolicy();
}

bool set_parameters(ConfiguredPolicy& configured, std::optional<std::string_view> settings, PolicyError& error) {
  for (std::size_t i = 0; i < configured.policy->parameters.size(); ++i)
    configured.values[i] = configured.policy->parameters[i].standard;
  if (!settings) return true;
  std::vector<std::string_view> keys;
  while (true) {
    const std::size_t comma = settings->find(',');
    const std::string_view setting = settings->substr(0, comma);
    if (!set_parameter(configured, setting, error)) return false;
    const std::string_view key = setting.substr(0, setting.find('='));
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      error = {"parameter '" + std::string(key) + "' is given twice", "give each once"};
      return false;
    }
    keys.push_back(key);
    if (comma == std::string_view::npos) return true;
    settings->remove_prefix(comma + 1);
  }
}

}  // namespace pothole
