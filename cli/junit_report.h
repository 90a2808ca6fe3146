// Results as JUnit XML, which CI systems read. Without times, so that the same results give the same file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pothole {

struct JunitTest {
  enum class Result : std::uint8_t { passed, failure, error, skipped };
  Result result = Result::passed;
  std::string group, name, file;  // file may be empty
  std::string type, message;      // of what is no pass
  std::string detail;             // likewise, or empty
};

// Without the end of its last line.
std::string junit_xml(std::string_view suite, std::span<const JunitTest> tests);

// Valid UTF-8 without characters that XML 1.0 does not allow: what is neither becomes U+FFFD.
std::string xml_characters(std::string_view text);

}  // namespace pothole
