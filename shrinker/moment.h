// Executions of small programs without a policy: which sets of tensors are material, and what is under way.
//
// For programs of at most six operators with one fresh output each, so that a tensor, its storage and its operator
// have one number, and a set of them is six bits. Sizes enter through the sets that fit a budget alone, costs not at
// all. The steps are those of semantics sections 3 to 6, one for one.
#pragma once

#include <array>
#include <cstdint>

#include "engine/run.h"
#include "generators/enumeration.h"

namespace pothole {

using TensorSet = std::uint32_t;  // bit i: tensor i

// Bit s: the tensors of the set s together fit a budget. All that an execution reads of sizes and budget.
using Fits = std::uint64_t;

// A skeleton as bits.
struct Shape {
  static constexpr std::uint32_t kOperatorsMost = 6;
  struct Step {
    std::array<std::uint8_t, kOperatorsMost> arguments{};
    std::uint32_t argument_count = 0;
    TensorSet argument_set = 0;
    TensorSet evicted_after = 0;  // by releases
  };

  // One fresh output of each operator; Dealloc::eager or ignore.
  Shape(const Skeleton& skeleton, Dealloc dealloc);

  std::uint32_t operators = 0;
  std::uint32_t edges = 0;
  std::array<Step, kOperatorsMost> steps;
  TensorSet pinned = 0;  // outputs of the program
};

// A point of an execution at which an operator, all of whose arguments are there, asks for room; or the end.
//
// Bits 0 to 5: what is material. Bits 6 to 9: the place, an operator of the program, or `operators` + i while tensor i
// is brought back at the end. Then nine bits for each materialization under way, the outermost first: 1 + its tensor,
// and its arguments that were missing and are not locked yet.
class Moment {
 public:
  static Moment first(const Shape& shape) { return Moment().settled(shape); }

  bool ended(const Shape& shape) const { return place() == 2 * shape.operators; }
  std::uint32_t place() const { return static_cast<std::uint32_t>(bits_ >> 6 & 15); }
  TensorSet material() const { return static_cast<TensorSet>(bits_ & 63); }
  std::uint32_t tensor() const { return tensor_of(bits_ >> top_shift()); }  // that room is asked for
  TensorSet wanted() const { return material() | 1u << tensor(); }          // what is to fit
  TensorSet victims(const Shape& shape) const { return material() & ~locked(shape); }

  Moment without(std::uint32_t victim) const { return Moment(bits_ & ~(std::uint64_t{1} << victim)); }
  Moment computed(const Shape& shape) const;

  std::uint64_t bits() const { return bits_; }

 private:
  static constexpr unsigned kFrames = 10, kFrameBits = 9;

  Moment() = default;
  explicit Moment(std::uint64_t bits) : bits_(bits) {}
  static std::uint32_t tensor_of(std::uint64_t frame) { return static_cast<std::uint32_t>(frame & 7) - 1; }
  static TensorSet missing_of(std::uint64_t frame) { return static_cast<TensorSet>(frame >> 3 & 63); }
  unsigned depth() const;
  unsigned top_shift() const { return kFrames + kFrameBits * (depth() - 1); }
  TensorSet locked(const Shape& shape) const;
  void push(const Shape& shape, std::uint32_t tensor);
  void begin_place(const Shape& shape);
  Moment settled(const Shape& shape) const;

  std::uint64_t bits_ = 0;
};

}  // namespace pothole
