#include "cli/property_option.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/input_error.h"
#include "engine/nearest_word.h"

namespace pothole {
namespace {

const Property* checked_property_name(const std::string& name) {
  if (const Property* property = find_property(name)) return property;
  std::vector<std::string> names = {"all"};
  for (const Property& property : properties()) names.emplace_back(property.name);
  const std::string nearest = nearest_word(name, names);
  throw InputError("--property", fmt::format("there is no property '{}'", name),
                   fmt::format("{}`pothole list properties` shows them all",
                               nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest)));
}

}  // namespace

std::vector<const Property*> checked_properties(const std::vector<std::string>& names) {
  std::vector<const Property*> wanted;
  const auto add = [&](const Property* property) {
    if (std::find(wanted.begin(), wanted.end(), property) == wanted.end()) wanted.push_back(property);
  };
  for (const std::string& name : names) {
    if (name != "all") {
      add(checked_property_name(name));
      continue;
    }
    for (const Property& property : properties()) add(&property);
  }
  return wanted;
}

}  // namespace pothole
