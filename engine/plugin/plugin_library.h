// Loading a plugin and checking what it declares.
#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "engine/plugin/pothole_policy.h"
#include "engine/policy.h"

namespace pothole {

struct PluginLibrary {
  std::string file;  // absolute
  const pothole_policy* declared = nullptr;
  std::deque<std::string> texts;  // what the record points to
  Policy record;                  // without `choose`
};

// The file is there. The library is never unloaded, as its threads and exceptions may outlive every policy. Null on
// error, and `error` says why. From any thread; a file is loaded once.
const PluginLibrary* load_plugin(const std::string& file, std::chrono::nanoseconds limit, PolicyError& error);

}  // namespace pothole
