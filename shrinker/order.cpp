#include "shrinker/order.h"

#include <limits>
#include <set>

namespace pothole {
namespace {

std::int64_t values_of(const Program& program) {
  std::set<Bytes> sizes;
  std::set<Cost> costs;
  for (const Storage& storage : program.storages()) sizes.insert(storage.size);
  for (const Operator& op : program.operators())
    if (!op.constant) costs.insert(op.cost);
  return static_cast<std::int64_t>(sizes.size() + costs.size());
}

// Nothing real has size or cost 0: it comes after all others.
std::int64_t spelled(std::int64_t value) { return value == 0 ? std::numeric_limits<std::int64_t>::max() : value; }

void spell_operator(const Program& program, OperatorId id, std::vector<std::int64_t>& spelling) {
  const Operator& op = program.operators()[id];
  spelling.insert(spelling.end(), {op.constant ? 1 : 0, spelled(op.cost), op.argument_count});
  for (const TensorId a : program.arguments(id)) spelling.push_back(a);
  spelling.push_back(op.output_count);
  for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) {
    const Tensor& tensor = program.tensors()[t];
    // An alias joins a storage that is there: its number, as what no size can be.
    spelling.push_back(tensor.alias ? -1 - std::int64_t{tensor.storage} : spelled(tensor.size));
  }
}

std::vector<std::int64_t> spelling_of(const Program& program) {
  std::vector<std::int64_t> spelling = {static_cast<std::int64_t>(program.commands().size()),
                                        static_cast<std::int64_t>(program.pins().size())};
  for (const Command& command : program.commands()) {
    spelling.push_back(static_cast<std::int64_t>(command.kind));
    if (command.kind == Command::Kind::issue)
      spell_operator(program, command.id, spelling);
    else
      spelling.push_back(command.id);
  }
  spelling.insert(spelling.end(), program.pins().begin(), program.pins().end());
  return spelling;
}

}  // namespace

Rank rank_of(const Program& program, const Witness& witness) {
  Rank rank;
  rank.operators = static_cast<std::int64_t>(program.operators().size());
  rank.tensors = static_cast<std::int64_t>(program.tensors().size());
  for (const Operator& op : program.operators()) rank.edges += op.argument_count;
  rank.values = values_of(program);
  rank.total_bytes = program.total_size();
  rank.width = witness.ok_above - witness.ok;
  rank.witness = witness;
  rank.spelling = spelling_of(program);
  return rank;
}

}  // namespace pothole
