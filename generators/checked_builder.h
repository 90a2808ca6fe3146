// A ProgramBuilder for shapes, which are valid by construction: what it refuses is a mistake of the shape.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/program_builder.h"
#include "generators/generator.h"

namespace pothole {

class CheckedBuilder {
 public:
  using Output = ProgramBuilder::Output;

  // All return the first output, and throw ProgramTooLarge.
  TensorId issue(std::string name, Cost cost, std::vector<TensorId> arguments, std::vector<Output> outputs);
  TensorId compute(std::string name, Cost cost, std::vector<TensorId> arguments, Bytes size);  // one fresh output
  TensorId constant(Bytes size, std::string name);

  void release(TensorId tensor);
  // Makes an output of every tensor that has a reference left, as a log that ends here does.
  void pin_referenced();
  Program finish() { return builder_.finish(); }

  std::size_t tensor_count() const { return builder_.tensor_count(); }
  std::int64_t references(TensorId tensor) const { return builder_.references(tensor); }
  Bytes storage_size(TensorId tensor) const { return builder_.storage_size(tensor); }

 private:
  ProgramBuilder builder_;
  ProgramSizeLimit limit_;
};

}  // namespace pothole
