#include "tests/support/tiny_programs.h"

#include <stdexcept>
#include <vector>

#include "engine/program_builder.h"

namespace pothole {
namespace {

struct TinyOperator {
  Cost cost = 0;
  std::vector<TensorId> arguments;
  std::vector<ProgramBuilder::Output> outputs;
  std::uint32_t released_after = 0;  // a set of tensors, one bit each
};

class Enumeration {
 public:
  Enumeration(const TinyBounds& bounds, const std::function<void(const Program&)>& callback)
      : bounds_(bounds), callback_(callback) {}

  std::uint64_t go() {
    choose_arguments();
    return count_;
  }

 private:
  void choose_arguments() {
    if (operators_.size() == bounds_.operators) return finish();
    for (std::uint32_t set = 0; set < (1u << tensors_); ++set) {
      operators_.emplace_back();
      for (TensorId t = 0; t < tensors_; ++t)
        if (set >> t & 1) operators_.back().arguments.push_back(t);
      for (Cost cost = bounds_.cost_min; cost <= bounds_.cost_max; ++cost) {
        operators_.back().cost = cost;
        choose_outputs();
      }
      operators_.pop_back();
    }
  }

  // Adds one more output in every way, and goes on with what there is.
  void choose_outputs() {
    const std::size_t op = operators_.size() - 1;
    if (!operators_[op].outputs.empty()) choose_releases();
    if (operators_[op].outputs.size() == bounds_.outputs_max) return;
    const auto with = [&](ProgramBuilder::Output output) {
      operators_[op].outputs.push_back(output);
      choose_outputs();
      operators_[op].outputs.pop_back();
    };
    for (Bytes size = bounds_.size_min; size <= bounds_.size_max; ++size)
      with({size, ProgramBuilder::Output::kFresh, ""});
    for (std::size_t i = 0; i < operators_[op].arguments.size(); ++i) with({0, static_cast<std::int64_t>(i), ""});
  }

  void choose_releases() {
    const std::size_t op = operators_.size() - 1;
    const std::uint32_t before = held_;
    const auto made = static_cast<std::uint32_t>(operators_[op].outputs.size());
    held_ |= ((1u << made) - 1) << tensors_;
    tensors_ += made;
    const std::uint32_t held = held_;
    for (std::uint32_t set = bounds_.releases ? held : 0;; set = (set - 1) & held) {
      operators_[op].released_after = set;
      held_ = held & ~set;
      choose_arguments();
      if (set == 0) break;
    }
    tensors_ -= made;
    held_ = before;
  }

  void finish() {
    ProgramBuilder builder;
    for (const TinyOperator& op : operators_) {
      check(builder.add_operator("", op.cost, op.arguments, op.outputs));
      for (TensorId t = 0; t < tensors_; ++t)
        if (op.released_after >> t & 1) check(builder.release(t));
    }
    for (TensorId t = 0; t < tensors_; ++t)
      if (held_ >> t & 1) check(builder.pin(t));
    ++count_;
    callback_(builder.finish());
  }

  static void check(const std::optional<BuildError>& error) {
    if (error) throw std::logic_error("the enumeration made an invalid program: " + error->what);
  }

  const TinyBounds& bounds_;
  const std::function<void(const Program&)>& callback_;
  std::vector<TinyOperator> operators_;
  std::uint32_t tensors_ = 0;
  std::uint32_t held_ = 0;  // not released yet, one bit each
  std::uint64_t count_ = 0;
};

}  // namespace

std::uint64_t for_each_tiny_program(const TinyBounds& bounds, const std::function<void(const Program&)>& callback) {
  return Enumeration(bounds, callback).go();
}

}  // namespace pothole
