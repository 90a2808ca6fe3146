// What `compare` prints: policies side by side on each trace, and over all of them.
#pragma once

#include <string>
#include <vector>

#include "cli/map_report.h"
#include "engine/map_comparison.h"

namespace pothole {

// Policies on one trace. The first is what the others are compared with.
struct ComparedTrace {
  HuntedTrace trace;
  std::vector<MapReport> maps;
  std::vector<MapComparison> comparisons;  // one per map, the first with itself
};

ComparedTrace compared(HuntedTrace trace, std::vector<MapReport> maps);

std::string compare_text(const ComparedTrace& compared, bool colours);
// Over all traces; there must be one.
std::string compare_summary_text(const std::vector<ComparedTrace>& all);

std::string compare_json(const ComparedTrace& compared);
std::string compare_summary_json(const std::vector<ComparedTrace>& all);

std::string compare_markdown(const std::vector<ComparedTrace>& all);

}  // namespace pothole
