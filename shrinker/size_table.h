// All assignments of sizes to the tensors of small programs, and what fits each budget of theirs.
#pragma once

#include <span>
#include <vector>

#include "shrinker/moment.h"

namespace pothole {

// Budgets from `from` up to the next class's: the same sets fit.
struct BudgetClass {
  Bytes from = 0;
  std::uint32_t fits = 0;  // in SizeTable::fits()
};

struct SizeAssignment {
  std::vector<Bytes> sizes;  // by tensor
  Bytes total = 0;
  std::int64_t distinct = 0;
  std::vector<BudgetClass> classes;  // ascending, from the least budget that fits anything to that which fits all
};

class SizeTable {
 public:
  // Sizes 1 .. size_most, all assignments in the order of their totals. `every_budget`: each budget is a class of its
  // own, for policies that read it.
  SizeTable(std::uint32_t tensors, Bytes size_most, bool every_budget);

  std::span<const SizeAssignment> assignments() const { return assignments_; }
  const std::vector<Fits>& fits() const { return fits_; }  // each once

 private:
  std::vector<SizeAssignment> assignments_;
  std::vector<Fits> fits_;
};

}  // namespace pothole
