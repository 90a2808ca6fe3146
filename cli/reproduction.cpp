#include "cli/reproduction.h"

#include <fmt/format.h>

namespace pothole {
namespace {

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./@=,:";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// A plugin's text does not say what file it came from.
std::string policy_option(const Case& c) {
  return "--" + c.policy_kind + " " + (c.policy_kind == "plugin" ? "FILE" : quoted(c.policy));
}

}  // namespace

std::string reproduction(const Case& c, const std::filesystem::path& file) {
  std::string command = c.property == kHoleProperty ? "pothole hunt " : "pothole check --property " + c.property + " ";
  command += quoted(file.string()) + " " + policy_option(c);
  if (c.dealloc != "eager") command += " --dealloc " + c.dealloc;
  if (c.overhead_limit != "60") command += " --overhead-limit " + c.overhead_limit;
  if (c.comparison != "reference") command += " --comparison " + c.comparison;
  if (c.seed != 0) command += fmt::format(" --seed {}", c.seed);
  return command;
}

}  // namespace pothole
