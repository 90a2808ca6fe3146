// Declares what properties/properties.def lists.
#pragma once

#include "properties/property.h"

namespace pothole {

#define POTHOLE_PROPERTY(name) Property name##_property();
#include "properties/properties.def"
#undef POTHOLE_PROPERTY

}  // namespace pothole
