// What `gate` prints.
#pragma once

#include <string>
#include <vector>

#include "cli/gate_rules.h"

namespace pothole {

struct GateReport {
  std::string base, head;  // policies, for people
  std::string note;        // of the base, or empty
  std::vector<GatedTrace> traces;
  std::vector<RuleVerdict> verdicts;

  bool is_red() const;
  bool is_open() const;  // some rule could not be judged
};

std::string gate_text(const GateReport& report, bool colours);
std::string gate_markdown(const GateReport& report);  // for a pull request
std::string gate_json(const GateReport& report);      // one line, pothole-gate/1
std::string gate_junit(const GateReport& report);
// A line for each broken rule, as GitHub's runners show them beside a pull request.
std::string gate_annotations(const GateReport& report);

}  // namespace pothole
