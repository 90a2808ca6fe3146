// What `list` prints: one object per line, or text for people.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/policy.h"
#include "generators/generator.h"
#include "properties/property.h"
#include "shrinker/pass.h"

namespace pothole {

std::string policy_json(const Policy& policy);
std::string policies_text(std::span<const Policy> policies);

std::string property_json(const Property& property);
std::string properties_text(std::span<const Property> properties);

std::string scores_json();
std::string scores_text();

std::string generator_json(const Generator& generator);
std::string generators_text(std::span<const Generator> generators);

std::string pass_json(const Pass& pass);
std::string passes_text(std::span<const Pass> passes);

std::string format_json(std::string_view name, std::string_view sentence);

}  // namespace pothole
