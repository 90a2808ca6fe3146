// A drawing of an explanation: the sub-graph that matters, and of a small program all of it with both histories.
#pragma once

#include <string>

#include "cli/explanation.h"

namespace pothole {

// In Graphviz' language, without the last line end.
std::string explain_dot(const Explanation& e);

// Throws OutputError where Graphviz cannot draw it.
std::string svg_of_dot(const std::string& dot);

}  // namespace pothole
