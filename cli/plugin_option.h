// --plugin FILE[@key=value,...]: a policy from a shared library.
#pragma once

#include <string>

#include "cli/time_limit.h"
#include "engine/policy.h"

namespace pothole {

inline constexpr const char* kPluginLimit = "10s";

// Loads the plugin. `limit` is a duration, of one choice. Throws InputError, `where` being an option or a place in
// a file, if there is no such plugin. From then on a plugin that crashes ends the process with a message.
ConfiguredPolicy checked_plugin(const std::string& text, const std::string& limit, const std::string& where);

// That message says that a checkpoint keeps what was found.
void mention_checkpoint_in_crashes();

}  // namespace pothole
