// Field by field: a program has no comparison of its own, because only tests compare whole ones.
#include "tests/support/same_program.h"

#include <algorithm>

namespace pothole {
namespace {

testing::AssertionResult differ(const char* what, std::size_t index) {
  return testing::AssertionFailure() << what << " " << index << " differs";
}

bool same(const Operator& a, const Operator& b) {
  return a.cost == b.cost && a.total_size == b.total_size && a.first_output == b.first_output &&
         a.output_count == b.output_count && a.first_argument == b.first_argument &&
         a.argument_count == b.argument_count && a.constant == b.constant;
}

bool same(const Tensor& a, const Tensor& b) {
  return a.op == b.op && a.storage == b.storage && a.size == b.size && a.alias == b.alias;
}

bool same(const Storage& a, const Storage& b) {
  return a.root == b.root && a.size == b.size && a.first_tensor == b.first_tensor && a.tensor_count == b.tensor_count &&
         a.has_siblings == b.has_siblings;
}

bool same(const Command& a, const Command& b) {
  return a.kind == b.kind && a.last_reference == b.last_reference && a.id == b.id;
}

bool same_edges(std::span<const Edge> a, std::span<const Edge> b) {
  return std::ranges::equal(a, b,
                            [](const Edge& x, const Edge& y) { return x.storage == y.storage && x.since == y.since; });
}

}  // namespace

testing::AssertionResult same_program(const Program& a, const Program& b) {
  if (a.operators().size() != b.operators().size() || a.tensors().size() != b.tensors().size() ||
      a.storages().size() != b.storages().size() || a.commands().size() != b.commands().size())
    return testing::AssertionFailure() << "the programs have different sizes";
  for (OperatorId o = 0; o < a.operators().size(); ++o)
    if (!same(a.operators()[o], b.operators()[o]) || !std::ranges::equal(a.arguments(o), b.arguments(o)) ||
        !std::ranges::equal(a.joined(o), b.joined(o)) || a.operator_name(o) != b.operator_name(o))
      return differ("operator", o);
  for (TensorId t = 0; t < a.tensors().size(); ++t)
    if (!same(a.tensors()[t], b.tensors()[t]) || a.tensor_name(t) != b.tensor_name(t)) return differ("tensor", t);
  for (StorageId s = 0; s < a.storages().size(); ++s)
    if (!same(a.storages()[s], b.storages()[s]) || !std::ranges::equal(a.tensors_of(s), b.tensors_of(s)) ||
        !same_edges(a.children(s), b.children(s)) || !same_edges(a.parents(s), b.parents(s)))
      return differ("storage", s);
  for (std::size_t c = 0; c < a.commands().size(); ++c)
    if (!same(a.commands()[c], b.commands()[c])) return differ("command", c);
  if (a.pins() != b.pins()) return testing::AssertionFailure() << "the pins differ";
  if (a.total_cost() != b.total_cost() || a.total_size() != b.total_size() ||
      a.total_storage_compute() != b.total_storage_compute() || a.constant_bytes() != b.constant_bytes() ||
      a.bottleneck() != b.bottleneck() || a.has_crossing_alias() != b.has_crossing_alias())
    return testing::AssertionFailure() << "a total differs";
  return testing::AssertionSuccess();
}

}  // namespace pothole
