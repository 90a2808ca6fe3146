#include "properties/ledger.h"

#include <algorithm>

namespace pothole {

Ledger::Ledger(const Program& program)
    : program_(&program), material_(program.storages().size()), defined_(program.tensors().size()) {}

std::string_view Ledger::book(const Decision& decision) {
  if (decision.kind == Decision::Kind::computed) return book_computed(decision.tensor);
  const Tensor& root = program_->tensors()[decision.tensor];
  const bool is_root = program_->storages()[root.storage].root == decision.tensor;
  if (!is_root || !material_.contains(root.storage)) return kNotResident;
  if (program_->operators()[root.op].constant) return kConstantEvicted;
  material_.erase(root.storage);
  resident_ -= program_->storages()[root.storage].size;
  for (TensorId t : program_->tensors_of(root.storage)) defined_.erase(t);
  return {};
}

// Semantics section 4, step 5. Outputs that are defined already are computed again and dropped.
std::string_view Ledger::book_computed(TensorId tensor) {
  const OperatorId id = program_->tensors()[tensor].op;
  if (id > place_) return kArgumentMissing;  // an operator that the trace has not come to
  for (TensorId a : program_->arguments(id))
    if (!defined_.contains(a)) return kArgumentMissing;
  const Operator& op = program_->operators()[id];
  peak_ = std::max(peak_, resident_ + op.total_size);
  for (TensorId t = op.first_output; t < op.first_output + op.output_count; ++t) define(t);
  place_ += id == place_;
  return {};
}

void Ledger::define(TensorId tensor) {
  const StorageId storage = program_->tensors()[tensor].storage;
  defined_.insert(tensor);
  if (material_.contains(storage)) return;
  material_.insert(storage);
  resident_ += program_->storages()[storage].size;
}

}  // namespace pothole
