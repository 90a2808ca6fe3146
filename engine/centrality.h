// How central storages are: betweenness over shortest computation paths, on the graph of a whole trace.
//
// An edge leads from each storage to every other storage with a tensor computed from it, and is as long as the
// compute of the storage that it leads to, so that a path is as long as computing what lies on it takes. The
// betweenness of a storage is the sum, over all pairs of other storages, of the share of the shortest paths between
// them that pass through it (Freeman, "A set of measures of centrality based on betweenness", Sociometry 1977), by the
// algorithm of Brandes ("A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 2001) from
// every storage.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace pothole {

class Program;

// By storage: how many are more central, or equally central and older.
using CentralityRanks = std::vector<std::uint32_t>;

// Takes time in the product of storages and edges, on all threads, and is the same for any number of them.
CentralityRanks centrality_ranks(const Program& program);

// Filled when first asked for.
struct LazyCentrality {
  std::once_flag once;
  CentralityRanks ranks;
};

}  // namespace pothole
