// A program: the immutable, validated form of a trace (semantics sections 1 and 2).
//
// Runs of every policy and budget share one program read-only. It is made by ProgramBuilder only,
// which guarantees every invariant stated here; nothing below it checks them again.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bit_set.h"
#include "engine/centrality.h"
#include "engine/units.h"

namespace pothole {

struct Operator {
  Cost cost = 0;
  Bytes total_size = 0;            // sum of the sizes of its fresh outputs
  TensorId first_output = 0;       // outputs are consecutive tensors
  std::uint32_t output_count = 0;  // at least 1
  std::uint32_t first_argument = 0;
  std::uint32_t argument_count = 0;
  bool constant = false;  // cost 0, one fresh output, pinned as soon as it is computed
};

struct Tensor {
  OperatorId op = 0;
  StorageId storage = 0;
  Bytes size = 0;  // its own bytes: the storage's size for a root tensor, 0 for an alias
  bool alias = false;
};

struct Storage {
  TensorId root = 0;
  Bytes size = 0;
  std::uint32_t first_tensor = 0;  // its tensors, root first, in Program::tensors_of
  std::uint32_t tensor_count = 0;
  // Its root operator has more than one output: rematerializing a sibling can bring it back without
  // touching it, so its last access matters while it is evicted.
  bool has_siblings = false;
};

// One step of the trace. `get` and `release` change a tensor's external references.
struct Command {
  enum class Kind : std::uint8_t { issue, get, release };
  Kind kind = Kind::issue;
  bool last_reference = false;  // a release after which the storage has no external reference
  std::uint32_t id = 0;         // operator of an issue, tensor of a get or a release
};

// A storage-level edge: some tensor of one storage is an argument of an operator with an output in
// another. `since` is the first operator that makes the edge.
struct Edge {
  StorageId storage = 0;
  OperatorId since = 0;
};

// Bit i of `mask` is an edge to storage 64 * word + i, so that walks take up to 64 edges at once.
struct EdgeWord {
  std::uint32_t word = 0;
  std::uint64_t mask = 0;
};

// All edges of one storage in one direction. Most have neighbours in one or two words: those are in the
// row itself, and a walk that visits the storage reads nothing else.
struct EdgeRow {
  std::uint64_t own = 0;  // the mask of the word that the storage itself is in
  EdgeWord first;         // of the others; mask 0 if there is none
  std::uint32_t rest_begin = 0, rest_end = 0;
};

struct EdgeRows {
  std::vector<EdgeRow> rows;  // by storage
  std::vector<EdgeWord> rest;

  // Calls visit(EdgeWord) for every word of a storage's row.
  template <class Visit>
  void for_each_word(StorageId storage, const Visit& visit) const {
    const EdgeRow& row = rows[storage];
    visit(EdgeWord{storage / 64, row.own});
    visit(row.first);
    for (std::uint32_t i = row.rest_begin; i < row.rest_end; ++i) visit(rest[i]);
  }
  template <class Visit>
  void for_each(StorageId storage, const Visit& visit) const {
    for_each_word(storage, [&](const EdgeWord& edges) {
      for (std::uint64_t left = edges.mask; left != 0; left &= left - 1)
        visit(64 * edges.word + static_cast<StorageId>(std::countr_zero(left)));
    });
  }
  // Does an edge lead into the set?
  bool meet(StorageId storage, const BitSet& set) const {
    if (set.empty()) return false;
    std::uint64_t found = 0;
    for_each_word(storage, [&](const EdgeWord& edges) { found |= edges.mask & set.words()[edges.word]; });
    return found != 0;
  }
};

class Program {
 public:
  const std::vector<Operator>& operators() const { return operators_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  const std::vector<Storage>& storages() const { return storages_; }
  const std::vector<Command>& commands() const { return commands_; }

  // Distinct tensors to bring back and pin at the end of the trace, in order.
  const std::vector<TensorId>& pins() const { return pins_; }

  // In order, repeats kept.
  std::span<const TensorId> arguments(OperatorId op) const {
    const Operator& o = operators_[op];
    return {arguments_.data() + o.first_argument, o.argument_count};
  }
  std::span<const TensorId> tensors_of(StorageId storage) const {
    const Storage& s = storages_[storage];
    return {tensors_by_storage_.data() + s.first_tensor, s.tensor_count};
  }
  // Distinct neighbours other than the storage itself, by the operator that made the edge.
  std::span<const Edge> children(StorageId storage) const { return edges(children_, child_start_, storage); }
  std::span<const Edge> parents(StorageId storage) const { return edges(parents_, parent_start_, storage); }

  // The same edges, all of the trace, without those to and from constants, which are never evicted: no
  // walk passes through them, and nobody asks for their regions.
  const EdgeRows& child_rows() const { return child_rows_; }
  const EdgeRows& parent_rows() const { return parent_rows_; }

  // The places at which a storage is used, ascending: operators with one of its tensors among their arguments, then
  // operators().size() + i for pins()[i].
  std::span<const std::uint32_t> uses(StorageId storage) const {
    return {uses_.data() + use_start_[storage], use_start_[storage + 1] - use_start_[storage]};
  }

  // Found when first asked for, by any thread; copies of a program share them.
  const CentralityRanks& centrality_ranks() const;

  // Distinct storages that aliases among the operator's outputs join: each gains its cost.
  std::span<const StorageId> joined(OperatorId op) const {
    return {joined_.data() + joined_start_[op], joined_start_[op + 1] - joined_start_[op]};
  }

  // Names are for people only. A tensor's name is unique.
  std::string_view tensor_name(TensorId tensor) const { return tensor_names_[tensor]; }
  std::string_view operator_name(OperatorId op) const { return operator_names_[op]; }

  Cost total_cost() const { return total_cost_; }   // the model compute of a complete run
  Bytes total_size() const { return total_size_; }  // of all storages
  WideCost total_storage_compute() const { return total_storage_compute_; }
  Bytes constant_bytes() const { return constant_bytes_; }
  // The largest, over operators, of total_size plus the arguments' own sizes, per occurrence
  // (semantics section 10). Reference: constants count although they are meant to be left out, as
  // operators and as arguments. At most the largest Bytes.
  Bytes bottleneck() const { return bottleneck_; }

  // Some aliasing operator has an argument outside the storage it joins. Regions then remember
  // edges that were unseen when they were built (semantics section 8, case b).
  bool has_crossing_alias() const { return has_crossing_alias_; }

 private:
  friend class ProgramBuilder;

  std::span<const Edge> edges(const std::vector<Edge>& all, const std::vector<std::uint32_t>& start,
                              StorageId storage) const {
    return {all.data() + start[storage], start[storage + 1] - start[storage]};
  }

  std::vector<Operator> operators_;
  std::vector<Tensor> tensors_;
  std::vector<Storage> storages_;
  std::vector<Command> commands_;
  std::vector<TensorId> pins_;
  std::vector<TensorId> arguments_;
  std::vector<TensorId> tensors_by_storage_;
  std::vector<Edge> children_, parents_;
  std::vector<std::uint32_t> child_start_, parent_start_;
  EdgeRows child_rows_, parent_rows_;
  std::vector<std::uint32_t> uses_, use_start_;
  std::shared_ptr<LazyCentrality> centrality_;
  std::vector<StorageId> joined_;
  std::vector<std::uint32_t> joined_start_;
  std::vector<std::string> tensor_names_, operator_names_;
  Cost total_cost_ = 0;
  Bytes total_size_ = 0;
  WideCost total_storage_compute_ = 0;
  Bytes constant_bytes_ = 0;
  Bytes bottleneck_ = 0;
  bool has_crossing_alias_ = false;
};

}  // namespace pothole
