// Replays as JUnit XML, which CI systems read: a test case for each case, a failure where it differs from its record,
// an error where nothing could be said, skipped where it was not run. Without times, so that the same cases give the
// same file.
#pragma once

#include <span>
#include <string>

#include "cli/case_replay.h"

namespace pothole {

// Without the end of its last line.
std::string junit_xml(std::span<const CaseReplay> replays);

// Valid UTF-8 without characters that XML 1.0 does not allow: what is neither becomes U+FFFD.
std::string xml_characters(std::string_view text);

}  // namespace pothole
