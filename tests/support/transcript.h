// Transcripts of the command line: a line "$ command", the output it must have, and in golden files a
// last line "exit N". The blocks marked `console` in README.md have the same form without the exit.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pothole {

struct TranscriptStep {
  std::string command;
  std::string output;
  std::optional<int> exit_code;
};

std::vector<TranscriptStep> parse_transcript(const std::string& text);

}  // namespace pothole
