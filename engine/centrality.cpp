#include "engine/centrality.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "engine/parallel.h"
#include "engine/program.h"

namespace pothole {
namespace {

// Integers modulo a prime, in which fractions are exact: equal betweenness has equal residues, whatever the
// rounding, and different betweenness has equal ones by chance of about 2^-61.
class Residue {
 public:
  constexpr Residue(std::uint64_t value = 0) : value_(value) {}  // value < kPrime
  friend Residue operator+(Residue a, Residue b) {
    const std::uint64_t sum = a.value_ + b.value_;
    return sum >= kPrime ? sum - kPrime : sum;
  }
  friend Residue operator*(Residue a, Residue b) {
    const auto product = static_cast<unsigned __int128>(a.value_) * b.value_;
    return Residue(static_cast<std::uint64_t>(product & kPrime)) + static_cast<std::uint64_t>(product >> 61);
  }
  Residue inverse() const {  // Fermat
    Residue power = *this, result = 1;
    for (std::uint64_t exponent = kPrime - 2; exponent != 0; exponent >>= 1, power = power * power)
      if (exponent & 1) result = result * power;
    return result;
  }
  friend auto operator<=>(const Residue&, const Residue&) = default;

 private:
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  std::uint64_t value_;
};

// A number of paths: mantissa * 2^exponent, as there may be more than a double can count.
struct PathCount {
  double mantissa = 0;
  int exponent = 0;

  void add(const PathCount& other) {
    const int top = mantissa == 0 ? other.exponent : std::max(exponent, other.exponent);
    const double sum = std::ldexp(mantissa, exponent - top) + std::ldexp(other.mantissa, other.exponent - top);
    int shift = 0;
    mantissa = std::frexp(sum, &shift);
    exponent = top + shift;
  }
  // this / other, which is at most 1.
  double share_of(const PathCount& other) const {
    return std::ldexp(mantissa / other.mantissa, exponent - other.exponent);
  }
};

// Of one storage: as far as it is known, a sum over sources.
struct Betweenness {
  double value = 0;
  Residue residue;
};

// Longer than any path: computes are at most 2^62 each, their sum over 2^32 storages is 2^94, and a length has 32 bits
// more.
using Length = unsigned __int128;
constexpr Length kUnreached = ~Length{0};

// Reference: an edge to a storage without compute is as long as a billionth of the unit, which counts only between
// paths of equal compute.
Length length_of(Cost compute) { return compute == 0 ? 1 : static_cast<Length>(compute) << 32; }

// Brandes' algorithm from one source after the other.
class Paths {
 public:
  Paths(const Program& program, std::span<const Length> lengths)
      : program_(program), lengths_(lengths), nodes_(program.storages().size()) {}

  void add_from(StorageId source, std::vector<Betweenness>& sums) {
    settle(source);
    accumulate(source, sums);
    for (StorageId s : settled_) nodes_[s] = Node();
  }

 private:
  struct Node {
    Length distance = kUnreached;
    PathCount paths;
    Residue paths_residue, paths_product;  // of its own number; of all settled until it
    Betweenness dependency;                // of the source on it
    bool settled = false;
  };

  // Dijkstra, counting paths. Every length is positive, so what leads to a storage is settled before it.
  void settle(StorageId source) {
    settled_.clear();
    nodes_[source].distance = 0;
    nodes_[source].paths = {0.5, 1};
    nodes_[source].paths_residue = 1;
    queue_.push({0, source});
    Residue product = 1;
    while (!queue_.empty()) {
      const auto [distance, from] = queue_.top();
      queue_.pop();
      Node& node = nodes_[from];
      if (node.settled) continue;
      node.settled = true;
      node.paths_product = product = product * node.paths_residue;
      settled_.push_back(from);
      for (const Edge& edge : program_.children(from)) reach(node, edge.storage);
    }
  }

  void reach(const Node& from, StorageId storage) {
    Node& to = nodes_[storage];
    const Length distance = from.distance + lengths_[storage];
    if (distance > to.distance) return;
    if (distance < to.distance) {
      to = Node();
      to.distance = distance;
      queue_.push({distance, storage});
    }
    to.paths.add(from.paths);
    to.paths_residue = to.paths_residue + from.paths_residue;
  }

  // From the farthest storage to the source. One inversion serves all: of the product of all path numbers.
  void accumulate(StorageId source, std::vector<Betweenness>& sums) {
    Residue inverse_product = nodes_[settled_.back()].paths_product.inverse();
    for (std::size_t i = settled_.size(); i-- > 1;) {
      const StorageId storage = settled_[i];
      const Node& node = nodes_[storage];
      const Residue inverse = inverse_product * nodes_[settled_[i - 1]].paths_product;
      inverse_product = inverse_product * node.paths_residue;
      sums[storage].value += node.dependency.value;
      sums[storage].residue = sums[storage].residue + node.dependency.residue;
      for (const Edge& edge : program_.parents(storage)) {
        Node& before = nodes_[edge.storage];
        if (edge.storage == source || before.distance == kUnreached ||
            before.distance + lengths_[storage] != node.distance)
          continue;
        before.dependency.value += before.paths.share_of(node.paths) * (1 + node.dependency.value);
        before.dependency.residue =
            before.dependency.residue + before.paths_residue * inverse * (Residue(1) + node.dependency.residue);
      }
    }
  }

  const Program& program_;
  std::span<const Length> lengths_;
  std::vector<Node> nodes_;
  std::vector<StorageId> settled_;
  using Entry = std::pair<Length, StorageId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

std::vector<Length> lengths_of(const Program& program) {
  std::vector<Cost> compute;
  for (const Storage& s : program.storages()) compute.push_back(program.operators()[program.tensors()[s.root].op].cost);
  for (OperatorId op = 0; op < program.operators().size(); ++op)
    for (StorageId joined : program.joined(op)) compute[joined] += program.operators()[op].cost;
  std::vector<Length> lengths;
  for (Cost c : compute) lengths.push_back(length_of(c));
  return lengths;
}

// Sources in parts whose number does not depend on the threads, so that sums round the same way.
std::vector<Betweenness> betweenness_of(const Program& program) {
  constexpr std::size_t kParts = 64;
  const std::size_t count = program.storages().size();
  const std::vector<Length> lengths = lengths_of(program);
  std::vector<std::vector<Betweenness>> parts(std::min(kParts, count));
  parallel_for_alone(parts.size(), [&](std::size_t part) {
    parts[part].resize(count);
    Paths paths(program, lengths);
    for (std::size_t s = part; s < count; s += parts.size()) paths.add_from(static_cast<StorageId>(s), parts[part]);
  });
  std::vector<Betweenness> sums(count);
  for (const std::vector<Betweenness>& part : parts)
    for (std::size_t s = 0; s < count; ++s) {
      sums[s].value += part[s].value;
      sums[s].residue = sums[s].residue + part[s].residue;
    }
  return sums;
}

// Where values differ by no more than rounding can, those of one residue get one value.
void unite_equal(std::vector<Betweenness>& all, const std::vector<StorageId>& by_value) {
  constexpr double kRounding = 1e-9;
  std::map<Residue, double> near;
  double before = 0;
  for (StorageId s : by_value) {
    if (before - all[s].value > kRounding * before) near.clear();
    before = all[s].value;
    all[s].value = near.try_emplace(all[s].residue, all[s].value).first->second;
  }
}

}  // namespace

CentralityRanks centrality_ranks(const Program& program) {
  std::vector<Betweenness> all = betweenness_of(program);
  std::vector<StorageId> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  const auto falling = [&](StorageId a, StorageId b) {
    return all[a].value != all[b].value ? all[a].value > all[b].value : a < b;
  };
  std::sort(order.begin(), order.end(), falling);
  unite_equal(all, order);
  std::sort(order.begin(), order.end(), falling);
  CentralityRanks ranks(all.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

const CentralityRanks& Program::centrality_ranks() const {
  std::call_once(centrality_->once, [&] { centrality_->ranks = pothole::centrality_ranks(*this); });
  return centrality_->ranks;
}

}  // namespace pothole
