// A recipe stands wherever a trace can.
#pragma once

#include <string>

#include "corpus/trace.h"

namespace pothole {

// What gen:NAME?key=value&... makes: named by the recipe's canonical text, its hash that of its native text.
// Throws InputError.
Trace read_recipe_trace(const std::string& text);

}  // namespace pothole
