// What `run` prints: the object of README.md "run", and text for people.
#pragma once

#include <string>

#include "engine/run.h"

namespace pothole {

// One execution and what it was asked to be.
struct RunReport {
  std::string trace;  // as the user named it; empty where a batch line carries its own log
  RunSettings settings;
  Bytes budget = 0;
  RunResult result;
};

// One line without its end. `victims` are included if wanted.
std::string run_json(const RunReport& report, bool victims);

// The object that stands for a batch line that could not be run.
std::string error_json(const std::string& message);

// Several lines.
std::string run_text(const RunReport& report, const Program& program, Bytes peak, bool victims);

}  // namespace pothole
