// How a reduction is told: text for people, JSON for scripts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "corpus/case_file.h"
#include "shrinker/shrink.h"
#include "shrinker/smallest.h"

namespace pothole {

struct ShrinkReport {
  Case c;  // the result
  std::filesystem::path file;
  std::uint64_t operators_before = 0;
  const Shrinker& shrinker;
  std::int64_t pumps = 0;     // that were asked for
  std::string_view ended_by;  // empty if it is done
  std::size_t others = 0;     // holes of other signatures that were kept
  bool with_tried = false;
  std::optional<Smallest> smaller;  // what --certify found, of hole_smaller_than()
  SmallestBounds bounds;            // that it searched
};

// "1-minimal; no pair of edits ...": what is claimed of the result, and what is not.
std::string claim_text(const ShrinkReport& report);

std::string shrink_report_text(const ShrinkReport& report, bool colours);
// One line without its end.
std::string shrink_report_json(const ShrinkReport& report);

}  // namespace pothole
