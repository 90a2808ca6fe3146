// A trace as a list that can be edited, and the way from a program to it and back: what mutations and shrink passes
// work on. A draft need not be valid; program_of says whether it is.
//
// Tensors of a draft are places in `tensors` and keep their numbers whatever is removed around them; program_of
// numbers those that are made anew, in trace order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/program.h"
#include "engine/program_builder.h"

namespace pothole {

struct Draft {
  struct Tensor {
    Bytes size = 0;                    // ignored for an alias
    std::optional<TensorId> alias_of;  // an argument of its operator, whose storage it joins
    std::string name;                  // empty: made up
  };
  struct Step {
    enum class Kind : std::uint8_t { issue, constant, get, release };
    Kind kind = Kind::issue;
    TensorId tensor = 0;              // of a get or a release
    Cost cost = 0;                    // of an issue
    std::vector<TensorId> arguments;  // of an issue
    std::vector<TensorId> outputs;    // of an issue, at least one; of a constant exactly one
    std::string name;                 // of an issue

    bool makes() const { return kind == Kind::issue || kind == Kind::constant; }
  };

  std::vector<Tensor> tensors;
  std::vector<Step> steps;
  std::vector<TensorId> pins;
};

// Names that are made up (t0, t1, ...) are left out.
Draft draft_of(const Program& program);

// Null if the draft is not valid, and `error` says why.
std::optional<Program> program_of(const Draft& draft, BuildError* error = nullptr);

// The same program with made-up names: tensors t0, t1, ... in trace order, and operators op. Programs that differ in
// names alone have one canonical form.
Program canonical(const Program& program);

// Makes valid what an edit left dangling: arguments, releases, gets and pins of tensors that nobody makes before go;
// so do releases of tensors without references, gets of storages without any, operators without outputs; an alias
// whose argument is gone becomes a storage of its own, of the size of the one it was in; what is made twice is made
// the first time only. Takes time in proportion to the draft. Afterwards program_of refuses it only if sizes or costs,
// or their sums, are outside 0 .. 2^62.
void mend(Draft& draft);

// Indices of the steps that make tensors.
std::vector<std::size_t> makers(const Draft& draft);
std::vector<std::size_t> steps_of_kind(const Draft& draft, Draft::Step::Kind kind);

}  // namespace pothole
