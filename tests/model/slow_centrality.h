// Betweenness straight from its definition, with fractions of integers of any length.
#pragma once

#include <vector>

#include "engine/program.h"

namespace pothole {

// All storages, the most central first, equally central ones by first appearance.
std::vector<StorageId> by_centrality(const Program& program);

}  // namespace pothole
