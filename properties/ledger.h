// Keeps the books of an execution from its decisions alone, so that what the engine says of itself can be
// checked: what is resident, and whether each decision was possible.
#pragma once

#include <optional>
#include <string_view>

#include "engine/bit_set.h"
#include "engine/decisions.h"
#include "engine/program.h"

namespace pothole {

class Ledger {
 public:
  // The program must outlive the ledger.
  explicit Ledger(const Program& program);

  // Books a decision that is possible; of one that is not, says why and books nothing.
  static constexpr std::string_view kArgumentMissing = "argument-missing", kNotResident = "not-resident",
                                    kConstantEvicted = "constant-evicted";
  std::string_view book(const Decision& decision);

  Bytes resident() const { return resident_; }
  // The most that was resident so far, with outputs computed a second time until they are dropped.
  Bytes peak() const { return peak_; }
  const BitSet& resident_storages() const { return material_; }
  // Operators of the trace that were computed so far: the one under way, or next.
  OperatorId place() const { return place_; }

 private:
  std::string_view book_computed(TensorId tensor);
  void define(TensorId tensor);

  const Program* program_;
  BitSet material_;  // by storage
  BitSet defined_;   // by tensor
  Bytes resident_ = 0;
  Bytes peak_ = 0;
  OperatorId place_ = 0;
};

}  // namespace pothole
