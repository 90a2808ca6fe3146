// What --property was given.
#pragma once

#include <string>
#include <vector>

#include "properties/property.h"

namespace pothole {

// Each name once, in the order given; "all" stands for the whole list. Throws InputError naming the nearest one.
std::vector<const Property*> checked_properties(const std::vector<std::string>& names);

}  // namespace pothole
