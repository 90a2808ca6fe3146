#include "tests/model/slow_centrality.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace pothole {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;
using Length = __int128;  // in billionths of the unit of compute; enough for small programs

// The graph of storages, the distances in it, and the numbers of shortest paths.
struct Graph {
  std::size_t count = 0;
  std::vector<Length> length;                // of every edge into a storage
  std::vector<std::set<StorageId>> parents;  // other storages that it is computed from
  std::vector<std::vector<std::optional<Length>>> distance;
  std::vector<std::vector<cpp_int>> paths;
};

Graph graph_of(const Program& program) {
  Graph graph;
  graph.count = program.storages().size();
  graph.parents.resize(graph.count);
  for (StorageId s = 0; s < graph.count; ++s) {
    std::set<OperatorId> producers;
    for (TensorId t : program.tensors_of(s)) producers.insert(program.tensors()[t].op);
    Length compute = 0;
    for (OperatorId op : producers) {
      compute += program.operators()[op].cost;
      for (TensorId a : program.arguments(op))
        if (program.tensors()[a].storage != s) graph.parents[s].insert(program.tensors()[a].storage);
    }
    graph.length.push_back(compute == 0 ? 1 : compute * 1'000'000'000);
  }
  return graph;
}

// Floyd and Warshall.
void measure(Graph& g) {
  g.distance.assign(g.count, std::vector<std::optional<Length>>(g.count));
  for (StorageId s = 0; s < g.count; ++s) {
    for (StorageId parent : g.parents[s]) g.distance[parent][s] = g.length[s];
    g.distance[s][s] = 0;
  }
  for (StorageId via = 0; via < g.count; ++via)
    for (StorageId from = 0; from < g.count; ++from)
      for (StorageId to = 0; to < g.count && g.distance[from][via]; ++to) {
        if (!g.distance[via][to]) continue;
        const Length length = *g.distance[from][via] + *g.distance[via][to];
        if (!g.distance[from][to] || length < *g.distance[from][to]) g.distance[from][to] = length;
      }
}

void count_paths(Graph& g) {
  g.paths.assign(g.count, std::vector<cpp_int>(g.count));
  for (StorageId from = 0; from < g.count; ++from) {
    std::multimap<Length, StorageId> reached;
    for (StorageId to = 0; to < g.count; ++to)
      if (g.distance[from][to]) reached.emplace(*g.distance[from][to], to);
    for (const auto& [length, to] : reached) {
      if (to == from) g.paths[from][to] = 1;
      for (StorageId last : g.parents[to])
        if (to != from && g.distance[from][last] && *g.distance[from][last] + g.length[to] == length)
          g.paths[from][to] += g.paths[from][last];
    }
  }
}

cpp_rational betweenness(const Graph& g, StorageId v) {
  cpp_rational sum = 0;
  for (StorageId from = 0; from < g.count; ++from)
    for (StorageId to = 0; to < g.count; ++to) {
      if (from == to || from == v || to == v) continue;
      if (!g.distance[from][v] || !g.distance[v][to]) continue;
      if (*g.distance[from][v] + *g.distance[v][to] != *g.distance[from][to]) continue;
      sum += cpp_rational(g.paths[from][v] * g.paths[v][to], g.paths[from][to]);
    }
  return sum;
}

}  // namespace

std::vector<StorageId> by_centrality(const Program& program) {
  Graph graph = graph_of(program);
  measure(graph);
  count_paths(graph);
  std::vector<cpp_rational> values;
  for (StorageId s = 0; s < graph.count; ++s) values.push_back(betweenness(graph, s));
  std::vector<StorageId> order(graph.count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](StorageId a, StorageId b) { return values[a] > values[b]; });
  return order;
}

}  // namespace pothole
