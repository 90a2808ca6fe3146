// All programs within bounds, each once: numbered, counted without making them, and in parts.
//
// Programs are the same here if their traces are, up to the names of tensors and operators and the order of releases
// between two operators. The order of operators, of arguments (missing ones are brought back in order), of outputs and
// of the gaps in which tensors are released is part of an execution, and kept. The order of releases within a gap
// is not, where no cycle leads through storages: a release there evicts one storage for good reason of its own count
// alone, evictions leave the clock and the rest of the pool as they are, and regions and classes absorb evicted
// storages as unions and sums. Only aliases can close a cycle through storages; with `aliases` on, leaving out other
// orders is a bound and no equivalence. Two arguments in one storage make one way to join it, not two.
//
// A skeleton is a program without sizes and costs. Skeletons come in a fixed total order, and the programs of each
// one after the other, costs changing fastest; neither depends on anything but the bounds.
//
// There are no constants, gets or repeated arguments. What is not released is an output, in order of creation, as
// at the end of a log.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/program.h"

namespace pothole {

struct EnumerationBounds {
  enum class Arguments : std::uint8_t {
    lists,  // of distinct tensors, in every order
    sets,   // in order of creation only
  };

  std::uint32_t operators = 3;  // exactly so many
  Bytes size_least = 1, size_most = 2;
  Cost cost_least = 1, cost_most = 2;
  std::uint32_t outputs_most = 1;  // of an operator
  bool aliases = false;            // an output may be in the storage of an argument
  bool releases = true;            // else everything is an output of the program
  bool late_uses = true;           // tensors without references may be arguments
  Arguments arguments = Arguments::lists;
};

struct Skeleton {
  static constexpr std::int32_t kFresh = -1;
  struct Step {
    std::vector<TensorId> arguments;
    std::vector<std::int32_t> outputs;  // kFresh, or the place of the argument whose storage it joins
    std::vector<TensorId> released;     // after the operator, ascending
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;  // one for each operator

  friend bool operator==(const Skeleton&, const Skeleton&) = default;
};

// All sizes and costs of one skeleton on one program, which is changed in place.
class SkeletonPrograms {
 public:
  // The first program, all sizes and costs the least. The bounds are those of the enumeration that has the skeleton.
  SkeletonPrograms(const Skeleton& skeleton, const EnumerationBounds& bounds);

  std::uint64_t count() const { return count_; }
  const Program& program() const { return program_; }  // until the next change
  // index < count()
  void go_to(std::uint64_t index);
  // False after the last one, and the program is then unchanged.
  bool next();
  // Any other sizes, by storage, and costs, by operator, each in 0 .. 2^40.
  void set(const std::vector<Bytes>& sizes, const std::vector<Cost>& costs);

 private:
  void apply();

  Bytes size_least_, size_most_;
  Cost cost_least_, cost_most_;
  std::uint64_t count_ = 1;
  std::vector<Bytes> sizes_;
  std::vector<Cost> costs_;
  Program program_;
};

// Counts pass 64 bits soon.
using ProgramNumber = unsigned __int128;

class Enumeration {
 public:
  // Throws std::invalid_argument if the bounds are empty, have too many tensors (8 with lists, 12 with sets), or so
  // many programs that they cannot be numbered.
  explicit Enumeration(const EnumerationBounds& bounds);

  const EnumerationBounds& bounds() const { return bounds_; }

  std::uint64_t skeleton_count() const { return total_.skeletons; }
  ProgramNumber program_count() const { return total_.programs; }

  // Those numbered from .. to - 1, in order: any division of 0 .. skeleton_count() makes shards that have nothing in
  // common. What lies outside is skipped by counts, not visited. Threads may share an enumeration.
  void for_each_skeleton(std::uint64_t from, std::uint64_t to, const std::function<void(const Skeleton&)>& visit) const;
  Skeleton skeleton(std::uint64_t index) const;

  void for_each(ProgramNumber from, ProgramNumber to, const std::function<void(const Program&)>& visit) const;
  Program program(ProgramNumber index) const;

 private:
  friend class EnumerationWalk;

  struct Count {
    std::uint64_t skeletons = 0;
    ProgramNumber programs = 0;
  };
  // Which choices are left depends on this alone, so that counts of equal situations are found once.
  struct Situation {
    std::vector<StorageId> storage_of;  // by tensor
    std::uint32_t storages = 0;
    std::uint32_t held = 0;  // tensors not released yet, one bit each
    std::string key(std::uint32_t operators_left, bool releasing) const;
  };

  // Calls visit(arguments, outputs) for every next operator, in order, while it returns true.
  template <class Visit>
  void for_each_operator(const Situation& situation, const Visit& visit) const;
  static Situation after(const Situation& situation, const std::vector<TensorId>& arguments,
                         const std::vector<std::int32_t>& outputs);
  // The programs that sizes of fresh outputs and the cost make of one operator.
  ProgramNumber values_of(const std::vector<std::int32_t>& outputs) const;

  Count count(const Situation& situation, std::uint32_t operators_left);
  Count count_releasing(const Situation& situation, std::uint32_t operators_left);

  EnumerationBounds bounds_;
  std::vector<std::vector<std::vector<std::uint32_t>>> lists_;  // by number of tensors, all argument lists
  std::unordered_map<std::string, Count> counts_;
  Count total_;
};

}  // namespace pothole
