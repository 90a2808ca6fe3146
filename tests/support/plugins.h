// The plugins of tests/plugins/, as they were built.
#pragma once

#include <string>

namespace pothole {

inline std::string plugin_file(const std::string& name) { return POTHOLE_PLUGINS "/" + name + ".so"; }

}  // namespace pothole
