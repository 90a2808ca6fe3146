#include "engine/program_builder.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>

namespace pothole {
namespace {

// Both are at most 2^62; their sum need not fit.
bool sum_passes_limit(std::int64_t a, std::int64_t b) { return a > kLargestQuantity - b; }

constexpr std::uint32_t kFirstSuffix = 2;

bool out_of_range(std::int64_t quantity) { return quantity < 0 || quantity > kLargestQuantity; }

// Groups items by a key in 0 .. key_count-1, keeping their order: `start` gets key_count+1 offsets.
template <class Item, class Key>
std::vector<Item> grouped(const std::vector<std::pair<Key, Item>>& items, std::size_t key_count,
                          std::vector<std::uint32_t>& start) {
  start.assign(key_count + 1, 0);
  for (const auto& [key, item] : items) ++start[key + 1];
  for (std::size_t k = 0; k < key_count; ++k) start[k + 1] += start[k];
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  std::vector<Item> out(items.size());
  for (const auto& [key, item] : items) out[next[key]++] = item;
  return out;
}

// `edges` lie at start[s] .. start[s + 1] - 1 for storage s.
EdgeRows rows_of(const std::vector<Edge>& edges, const std::vector<std::uint32_t>& start,
                 const std::vector<bool>& walked) {
  EdgeRows all;
  for (StorageId s = 0; s + 1 < start.size(); ++s) {
    std::vector<StorageId> targets;
    for (std::uint32_t i = start[s]; i < start[s + 1]; ++i)
      if (walked[edges[i].storage]) targets.push_back(edges[i].storage);
    std::sort(targets.begin(), targets.end());
    EdgeRow row;
    row.first.word = s / 64;  // so that taking an empty mask touches nothing else
    row.rest_begin = static_cast<std::uint32_t>(all.rest.size());
    for (StorageId target : targets) {
      const std::uint32_t word = target / 64;
      const std::uint64_t bit = std::uint64_t{1} << (target % 64);
      if (word == s / 64) {
        row.own |= bit;
      } else if (row.first.mask == 0 || row.first.word == word) {
        row.first.word = word;
        row.first.mask |= bit;
      } else {
        if (all.rest.size() == row.rest_begin || all.rest.back().word != word) all.rest.push_back({word, 0});
        all.rest.back().mask |= bit;
      }
    }
    row.rest_end = static_cast<std::uint32_t>(all.rest.size());
    all.rows.push_back(row);
  }
  return all;
}

// What an operator's outputs and arguments take together. Repeated arguments can take it past every sum of sizes; it
// then stays at the largest number.
Bytes need_of(const Program& p, OperatorId o) {
  __int128 need = p.operators()[o].total_size;
  for (TensorId a : p.arguments(o)) need += p.tensors()[a].size;
  return static_cast<Bytes>(std::min<__int128>(need, std::numeric_limits<Bytes>::max()));
}

}  // namespace

std::optional<BuildError> ProgramBuilder::check_tensor(TensorId tensor) const {
  if (tensor < program_.tensors_.size()) return std::nullopt;
  return BuildError{"tensor " + std::to_string(tensor) + " is used before it is made"};
}

std::optional<BuildError> ProgramBuilder::check_operator(Cost cost, const std::vector<TensorId>& arguments,
                                                         const std::vector<Output>& outputs) const {
  if (out_of_range(cost)) return BuildError{"cost is outside 0 .. 2^62"};
  if (sum_passes_limit(program_.total_cost_, cost)) return BuildError{"the sum of all costs passes 2^62"};
  if (outputs.empty()) return BuildError{"an operator needs at least one output"};
  for (TensorId t : arguments)
    if (auto error = check_tensor(t)) return error;
  Bytes total = program_.total_size_;
  for (const Output& output : outputs) {
    if (output.alias != Output::kFresh) {
      if (output.alias < 0 || output.alias >= static_cast<std::int64_t>(arguments.size()))
        return BuildError{"alias " + std::to_string(output.alias) + " is not an argument position (the operator has " +
                          std::to_string(arguments.size()) + " arguments)"};
      continue;
    }
    if (out_of_range(output.size)) return BuildError{"size is outside 0 .. 2^62"};
    if (sum_passes_limit(total, output.size)) return BuildError{"the sum of all sizes passes 2^62"};
    total += output.size;
  }
  return std::nullopt;
}

// A name that one log writes to a thousand times must not cost a thousand tries each time.
std::string ProgramBuilder::unique_name(std::string wanted) {
  if (wanted.empty()) wanted = "t" + std::to_string(program_.tensors_.size());
  const auto [entry, is_new] = names_.try_emplace(wanted, kFirstSuffix);
  if (is_new) return wanted;
  std::uint32_t& suffix = entry->second;
  while (true) {
    std::string name = wanted + "#" + std::to_string(suffix++);
    if (names_.try_emplace(name, kFirstSuffix).second) return name;
  }
}

void ProgramBuilder::add_output(OperatorId op, Output&& output, const std::vector<TensorId>& arguments) {
  const auto id = static_cast<TensorId>(program_.tensors_.size());
  Tensor tensor;
  tensor.op = op;
  tensor.alias = output.alias != Output::kFresh;
  if (tensor.alias) {
    tensor.storage = program_.tensors_[arguments[static_cast<std::size_t>(output.alias)]].storage;
  } else {
    tensor.storage = static_cast<StorageId>(program_.storages_.size());
    tensor.size = output.size;
    Storage storage;
    storage.root = id;
    storage.size = output.size;
    program_.storages_.push_back(storage);
    storage_references_.push_back(0);
    program_.total_size_ += output.size;
    program_.operators_[op].total_size += output.size;
  }
  ++storage_references_[tensor.storage];
  references_.push_back(1);
  pinned_.push_back(false);
  program_.tensor_names_.push_back(unique_name(std::move(output.name)));
  program_.tensors_.push_back(tensor);
}

std::optional<BuildError> ProgramBuilder::add_operator(std::string name, Cost cost, std::vector<TensorId> arguments,
                                                       std::vector<Output> outputs) {
  if (auto error = check_operator(cost, arguments, outputs)) return error;
  const auto id = static_cast<OperatorId>(program_.operators_.size());
  Operator op;
  op.cost = cost;
  op.first_output = static_cast<TensorId>(program_.tensors_.size());
  op.output_count = static_cast<std::uint32_t>(outputs.size());
  op.first_argument = static_cast<std::uint32_t>(program_.arguments_.size());
  op.argument_count = static_cast<std::uint32_t>(arguments.size());
  program_.operators_.push_back(op);
  program_.arguments_.insert(program_.arguments_.end(), arguments.begin(), arguments.end());
  program_.operator_names_.push_back(std::move(name));
  program_.total_cost_ += cost;
  for (Output& output : outputs) add_output(id, std::move(output), arguments);
  if (outputs.size() > 1)
    for (TensorId t = op.first_output; t < program_.tensors_.size(); ++t)
      if (!program_.tensors_[t].alias) program_.storages_[program_.tensors_[t].storage].has_siblings = true;
  program_.commands_.push_back({Command::Kind::issue, false, id});
  return std::nullopt;
}

std::optional<BuildError> ProgramBuilder::add_constant(Bytes size, std::string name) {
  if (auto error = add_operator("constant", 0, {}, {{size, Output::kFresh, std::move(name)}})) return error;
  program_.operators_.back().constant = true;
  program_.constant_bytes_ += size;
  return std::nullopt;
}

std::optional<BuildError> ProgramBuilder::get(TensorId tensor) {
  if (auto error = check_tensor(tensor)) return error;
  ++references_[tensor];
  ++storage_references_[program_.tensors_[tensor].storage];
  program_.commands_.push_back({Command::Kind::get, false, tensor});
  return std::nullopt;
}

std::optional<BuildError> ProgramBuilder::release(TensorId tensor) {
  if (auto error = check_tensor(tensor)) return error;
  if (references_[tensor] == 0) return BuildError{"it is released more often than it was taken"};
  --references_[tensor];
  const bool last = --storage_references_[program_.tensors_[tensor].storage] == 0;
  program_.commands_.push_back({Command::Kind::release, last, tensor});
  return std::nullopt;
}

std::optional<BuildError> ProgramBuilder::pin(TensorId tensor) {
  if (auto error = check_tensor(tensor)) return error;
  if (!pinned_[tensor]) program_.pins_.push_back(tensor);
  pinned_[tensor] = true;
  return std::nullopt;
}

void ProgramBuilder::list_uses() {
  Program& p = program_;
  std::vector<std::pair<StorageId, std::uint32_t>> uses;
  std::vector<std::uint32_t> last(p.storages_.size(), kNone);
  const auto use = [&](TensorId t, std::uint32_t place) {
    const StorageId s = p.tensors_[t].storage;
    if (last[s] != place) uses.emplace_back(s, place);
    last[s] = place;
  };
  for (OperatorId o = 0; o < p.operators_.size(); ++o)
    for (TensorId a : p.arguments(o)) use(a, o);
  for (std::uint32_t i = 0; i < p.pins_.size(); ++i)
    use(p.pins_[i], static_cast<std::uint32_t>(p.operators_.size()) + i);
  p.uses_ = grouped(uses, p.storages_.size(), p.use_start_);
}

Program ProgramBuilder::finish() {
  Program& p = program_;
  const std::size_t storage_count = p.storages_.size();

  std::vector<std::pair<StorageId, TensorId>> members;
  for (TensorId t = 0; t < p.tensors_.size(); ++t) members.emplace_back(p.tensors_[t].storage, t);
  std::vector<std::uint32_t> start;
  p.tensors_by_storage_ = grouped(members, storage_count, start);
  for (StorageId s = 0; s < storage_count; ++s) {
    p.storages_[s].first_tensor = start[s];
    p.storages_[s].tensor_count = start[s + 1] - start[s];
  }

  std::vector<std::pair<StorageId, Edge>> down, up;
  std::vector<std::pair<OperatorId, StorageId>> joined;
  std::vector<OperatorId> last_producer(storage_count, kNone);
  std::unordered_set<std::uint64_t> seen;
  for (OperatorId o = 0; o < p.operators_.size(); ++o) {
    const Operator& op = p.operators_[o];
    p.bottleneck_ = std::max(p.bottleneck_, need_of(p, o));
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      const StorageId to = p.tensors_[t].storage;
      if (last_producer[to] != o) {
        last_producer[to] = o;
        p.total_storage_compute_ += op.cost;
        if (p.tensors_[t].alias) joined.emplace_back(o, to);
      }
      for (TensorId a : p.arguments(o)) {
        const StorageId from = p.tensors_[a].storage;
        if (from == to) continue;
        p.has_crossing_alias_ = p.has_crossing_alias_ || p.tensors_[t].alias;
        if (!seen.insert(std::uint64_t{from} << 32 | to).second) continue;
        down.push_back({from, {to, o}});
        up.push_back({to, {from, o}});
      }
    }
  }
  p.children_ = grouped(down, storage_count, p.child_start_);
  p.parents_ = grouped(up, storage_count, p.parent_start_);
  std::vector<bool> walked(storage_count);
  for (StorageId s = 0; s < storage_count; ++s) walked[s] = !p.operators_[p.tensors_[p.storages_[s].root].op].constant;
  p.child_rows_ = rows_of(p.children_, p.child_start_, walked);
  p.parent_rows_ = rows_of(p.parents_, p.parent_start_, walked);
  p.joined_ = grouped(joined, p.operators_.size(), p.joined_start_);
  list_uses();
  p.centrality_ = std::make_shared<LazyCentrality>();

  Program out = std::move(program_);
  *this = ProgramBuilder();
  return out;
}

std::optional<BuildError> ProgramBuilder::revalue(Program& p, std::span<const Bytes> sizes,
                                                  std::span<const Cost> costs) {
  if (sizes.size() != p.storages_.size() || costs.size() != p.operators_.size())
    return BuildError{"there is not one size for each storage and one cost for each operator"};
  Bytes total_size = 0;
  for (const Bytes size : sizes) {
    if (out_of_range(size) || sum_passes_limit(total_size, size))
      return BuildError{"a size or the sum of all sizes is outside 0 .. 2^62"};
    total_size += size;
  }
  Cost total_cost = 0;
  for (OperatorId o = 0; o < costs.size(); ++o) {
    if (out_of_range(costs[o]) || sum_passes_limit(total_cost, costs[o]))
      return BuildError{"a cost or the sum of all costs is outside 0 .. 2^62"};
    if (p.operators_[o].constant && costs[o] != 0) return BuildError{"a constant has cost 0"};
    total_cost += costs[o];
  }
  p.total_size_ = total_size;
  p.total_cost_ = total_cost;
  p.total_storage_compute_ = 0;
  p.constant_bytes_ = 0;
  p.bottleneck_ = 0;
  for (StorageId s = 0; s < sizes.size(); ++s) {
    p.storages_[s].size = sizes[s];
    p.tensors_[p.storages_[s].root].size = sizes[s];
  }
  for (OperatorId o = 0; o < costs.size(); ++o) {
    Operator& op = p.operators_[o];
    op.cost = costs[o];
    op.total_size = 0;
    std::size_t produced = p.joined(o).size();
    for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
      op.total_size += p.tensors_[t].size;
      if (!p.tensors_[t].alias) ++produced;
    }
    p.total_storage_compute_ += static_cast<WideCost>(produced) * op.cost;
    if (op.constant) p.constant_bytes_ += op.total_size;
    p.bottleneck_ = std::max(p.bottleneck_, need_of(p, o));
  }
  p.centrality_ = std::make_shared<LazyCentrality>();
  return std::nullopt;
}

}  // namespace pothole
