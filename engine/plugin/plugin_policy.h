// A policy that comes as a shared library (engine/plugin/pothole_policy.h).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "engine/policy.h"

namespace pothole {

struct PluginRequest {
  std::string file;
  std::string sha256;                                         // of the file: part of what the policy is called
  std::optional<std::string> parameters;                      // key=value,..., if any were given
  std::chrono::nanoseconds limit = std::chrono::seconds(10);  // of one choice
};

// Loads the library, which stays until the process ends, and checks what it declares. The policy's text is
// "NAME@key=value,... (sha256 ...)" with all parameters. On error the policy is null and `error` says why.
ConfiguredPolicy configure_plugin(const PluginRequest& request, PolicyError& error);

bool is_plugin(const ConfiguredPolicy& policy);

// Of a fault of a plugin: it says nothing of the program, as the plugin had been late too often before.
bool was_not_asked(std::string_view why);
// It was late, however long it was waited for.
bool was_late(std::string_view why);

// The text of a policy for people: of the digest of a plugin's file the first digits.
std::string with_short_digest(std::string_view text);

// Of two texts of policies: both are plugins of one name and parameters, and of different files.
bool is_other_file_of_plugin(std::string_view a, std::string_view b);

}  // namespace pothole
