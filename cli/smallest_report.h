// What `smallest` says: the hole, what is proved, and which programs that is about.
#pragma once

#include <string>

#include "corpus/case_file.h"
#include "shrinker/smallest.h"

namespace pothole {

// Several lines.
std::string smallest_text(const Smallest& found, const RunSettings& settings, const SmallestBounds& bounds,
                          bool colours);
// One line without its end (pothole-smallest/1).
std::string smallest_json(const Smallest& found, const RunSettings& settings, const SmallestBounds& bounds);

// Of the hole, which there is.
Case smallest_case(const Smallest& found, const RunSettings& settings, const SmallestBounds& bounds);

}  // namespace pothole
