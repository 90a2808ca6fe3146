// The only way to make a Program: add commands in trace order, then finish.
//
// Every call validates its arguments and returns an error value instead of changing anything, so a
// reader can say which line was wrong and a shrink pass can drop a candidate.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/program.h"

namespace pothole {

struct BuildError {
  std::string what;  // one clause, without a place: the caller knows where it is
};

class ProgramBuilder {
 public:
  struct Output {
    static constexpr std::int64_t kFresh = -1;
    Bytes size = 0;               // ignored for an alias
    std::int64_t alias = kFresh;  // or the position of the argument whose storage it joins
    std::string name;             // empty: t0, t1, ... ; made unique by a suffix where taken
  };

  // The outputs are the tensors tensor_count() ... in order, each with one external reference.
  [[nodiscard]] std::optional<BuildError> add_operator(std::string name, Cost cost, std::vector<TensorId> arguments,
                                                       std::vector<Output> outputs);
  // An operator of cost 0 without arguments, with one output, pinned once computed.
  [[nodiscard]] std::optional<BuildError> add_constant(Bytes size, std::string name);

  [[nodiscard]] std::optional<BuildError> get(TensorId tensor);
  [[nodiscard]] std::optional<BuildError> release(TensorId tensor);

  // Marks an output of the whole trace, in the order in which they are to be pinned. Repeats are
  // ignored.
  [[nodiscard]] std::optional<BuildError> pin(TensorId tensor);

  std::size_t operator_count() const { return program_.operators_.size(); }
  std::size_t tensor_count() const { return program_.tensors_.size(); }
  Bytes total_size() const { return program_.total_size_; }
  std::int64_t references(TensorId tensor) const { return references_[tensor]; }
  std::int64_t storage_references(TensorId tensor) const {
    return storage_references_[program_.tensors_[tensor].storage];
  }
  Bytes storage_size(TensorId tensor) const { return program_.storages_[program_.tensors_[tensor].storage].size; }
  const std::string& tensor_name(TensorId tensor) const { return program_.tensor_names_[tensor]; }

  // The builder is empty afterwards.
  Program finish();

  // Other sizes, by storage, and costs, by operator, for a program that is otherwise the same: cheaper by far than
  // building it again. Constants keep cost 0. On error the program is as it was. Nobody may be reading it.
  [[nodiscard]] static std::optional<BuildError> revalue(Program& program, std::span<const Bytes> sizes,
                                                         std::span<const Cost> costs);

 private:
  [[nodiscard]] std::optional<BuildError> check_operator(Cost cost, const std::vector<TensorId>& arguments,
                                                         const std::vector<Output>& outputs) const;
  [[nodiscard]] std::optional<BuildError> check_tensor(TensorId tensor) const;
  void add_output(OperatorId op, Output&& output, const std::vector<TensorId>& arguments);
  std::string unique_name(std::string wanted);
  void list_uses();

  Program program_;
  std::vector<std::int64_t> references_;                  // by tensor
  std::vector<std::int64_t> storage_references_;          // by storage, the sum over its tensors
  std::vector<bool> pinned_;                              // by tensor
  std::unordered_map<std::string, std::uint32_t> names_;  // of tensors, with the next suffix to try
};

}  // namespace pothole
