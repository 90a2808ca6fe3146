// The plugins of tests/plugins/, as they were built.
#pragma once

#include <csignal>
#include <string>

namespace pothole {

inline std::string plugin_file(const std::string& name) { return POTHOLE_PLUGINS "/" + name + ".so"; }

// To stand before a command with the plugin `interrupts`, which sends the process this signal with the question of that
// number. The command is cut off there, whatever the machine: give a number that the whole work exceeds by far.
inline std::string cut_by(int signal, long question) {
  return "POTHOLE_TEST_SIGNAL=" + std::to_string(signal) + " POTHOLE_TEST_AT=" + std::to_string(question) + " ";
}

inline const std::string kUncut = "POTHOLE_TEST_AT=0 ";

}  // namespace pothole
