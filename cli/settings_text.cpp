#include "cli/settings_text.h"

#include <fmt/format.h>

namespace pothole {

std::string unusual_settings_text(const RunSettings& settings) {
  const RunSettings standard;
  std::string text;
  if (settings.dealloc != standard.dealloc) text += fmt::format(", dealloc {}", name_of(settings.dealloc));
  if (settings.overhead_limit.value() != standard.overhead_limit.value())
    text += fmt::format(", overhead limit {}", settings.overhead_limit.value());
  if (settings.comparison != standard.comparison) text += fmt::format(", comparison {}", name_of(settings.comparison));
  if (settings.policy.policy != nullptr && settings.policy.policy->needs.has(Feature::random) && settings.seed != 0)
    text += fmt::format(", seed {}", settings.seed);
  return text;
}

}  // namespace pothole
