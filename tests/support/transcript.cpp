#include "tests/support/transcript.h"

#include <sstream>

namespace pothole {

std::vector<TranscriptStep> parse_transcript(const std::string& text) {
  std::vector<TranscriptStep> steps;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$ ")) {
      steps.push_back({line.substr(2), "", std::nullopt});
    } else if (!steps.empty() && line.starts_with("exit ") && !steps.back().exit_code) {
      steps.back().exit_code = std::stoi(line.substr(5));
    } else if (!steps.empty() && !steps.back().exit_code) {
      steps.back().output += line + "\n";
    }
  }
  return steps;
}

}  // namespace pothole
