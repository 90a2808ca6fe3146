#include "engine/banishment.h"

#include <algorithm>

#include "engine/hash.h"
#include "engine/position.h"
#include "engine/program.h"

namespace pothole {

bool Banishment::is_waiting(StorageId storage, const Program& program, const Position& position,
                            const BitSet& defined) const {
  const auto first = std::lower_bound(passed_over_.begin(), passed_over_.end(), std::pair(storage, TensorId{0}));
  if (first != passed_over_.end() && first->first == storage) return true;
  const auto is_computed_from_it = [&](TensorId t) {
    const auto arguments = program.arguments(program.tensors()[t].op);
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](TensorId a) { return program.tensors()[a].storage == storage; });
  };
  for (const Edge& edge : program.children(storage)) {
    if (edge.since >= position.issued()) break;
    if (!is_waited_for(edge.storage)) continue;
    for (TensorId t : program.tensors_of(edge.storage)) {
      if (program.tensors()[t].op >= position.issued()) break;
      if (!defined.contains(t) && is_computed_from_it(t)) return true;
    }
  }
  return false;
}

void Banishment::banish(StorageId storage, const Program& program) {
  turns_[storage] = *std::max_element(turns_.begin(), turns_.end()) + 1;
  std::erase_if(passed_over_, [&](const auto& entry) { return program.tensors()[entry.second].storage == storage; });
}

void Banishment::pass_over(StorageId storage, TensorId computed, const Program& program) {
  const StorageId of_computed = program.tensors()[computed].storage;
  if (of_computed == storage || !is_waited_for(of_computed)) return;
  const std::pair entry(storage, computed);
  const auto at = std::lower_bound(passed_over_.begin(), passed_over_.end(), entry);
  if (at == passed_over_.end() || *at != entry) passed_over_.insert(at, entry);
}

std::uint64_t Banishment::digest() const {
  std::uint64_t digest = 0;
  for (std::size_t s = 0; s < turns_.size(); ++s)
    if (turns_[s] != 0) digest ^= mixed(s << 32 | turns_[s]);
  return digest;
}

}  // namespace pothole
