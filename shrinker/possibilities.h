// What executions of a skeleton can do whatever the victims are, and so under every policy.
//
// A policy's choice is a function of what came before, and its victim is a member of the pool. So an execution under
// any policy is one of those that some choices make, and what no choices bring about no policy does. For a program to
// have a hole there must be budgets a < b such that it completes with a and fails with b. Two conditions follow that
// do not speak of costs:
//
// - Some choices complete with a, and some fail with b.
// - Up to the first question that a and b answer differently, both executions have the same history and evict the
//   same. So some choices lead to such a question, where a evicts and b goes on, and from there some choices complete
//   with a and some fail with b. This holds for policies that do not read the budget.
//
// And one that looks at smaller programs:
//
// - The program fails at its last operator or while outputs are brought back. For if it failed with b at an earlier
//   operator, the program cut off behind that one, with everything released there that still has references, would
//   complete with a, fail with b and complete with everything in memory: a hole with fewer operators, of the same
//   sizes and costs, whose argument lists are some of these. Whoever looks for holes by operators, fewest first, has
//   met it. `from_place` is where failures begin to count.
#pragma once

#include <cstdint>
#include <vector>

#include "shrinker/moment.h"

namespace pothole {

// Answers by moment and, as numbers, sets that fit.
class AnswerTable {
 public:
  void clear();
  // Null if there is none.
  const bool* find(std::uint64_t moment, std::uint64_t fits) const;
  void keep(std::uint64_t moment, std::uint64_t fits, bool answer);

 private:
  struct Entry {
    std::uint64_t moment = 0, fits = 0;
    std::uint32_t epoch = 0;
    bool answer = false;
  };
  std::size_t slot_of(std::uint64_t moment, std::uint64_t fits) const;
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(1 << 10);
  std::size_t used_ = 0;
  std::uint32_t epoch_ = 1;
};

class Possibilities {
 public:
  // `fits` is a list that other calls name members of by their number; both must outlive this.
  explicit Possibilities(const std::vector<Fits>& fits) : fits_(fits) {}

  // The skeleton that the rest is about.
  void begin(const Shape& shape, std::uint32_t from_place);
  const Shape& shape() const { return *shape_; }

  bool can_complete(Moment moment, std::uint32_t fits);
  bool can_fail(Moment moment, std::uint32_t fits);
  // From a common history: complete with the lower budget and fail with the higher one, having parted.
  bool can_part(Moment moment, std::uint32_t lower, std::uint32_t higher);

 private:
  bool found_complete(Moment moment, std::uint32_t fits);
  bool found_failing(Moment moment, std::uint32_t fits);
  bool found_parting(Moment moment, std::uint32_t lower, std::uint32_t higher);
  bool room(Moment moment, std::uint32_t fits) const { return fits_[fits] >> moment.wanted() & 1; }

  const std::vector<Fits>& fits_;
  const Shape* shape_ = nullptr;
  std::uint32_t from_place_ = 0;
  AnswerTable complete_, failing_, parting_;
};

}  // namespace pothole
