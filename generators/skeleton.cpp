// All programs of a skeleton.
#include <stdexcept>

#include "engine/program_builder.h"
#include "generators/enumeration.h"

namespace pothole {
namespace {

Program first_program(const Skeleton& skeleton, const EnumerationBounds& bounds) {
  ProgramBuilder builder;
  const auto check = [](const std::optional<BuildError>& error) {
    if (error) throw std::logic_error("the enumeration made an invalid program: " + error->what);
  };
  std::vector<bool> held;
  for (const Skeleton::Step& step : skeleton.steps) {
    std::vector<ProgramBuilder::Output> outputs;
    for (const std::int32_t output : step.outputs) outputs.push_back({bounds.size_least, output, ""});
    held.resize(held.size() + outputs.size(), true);
    check(builder.add_operator("", bounds.cost_least, step.arguments, std::move(outputs)));
    for (const TensorId t : step.released) {
      check(builder.release(t));
      held[t] = false;
    }
  }
  for (TensorId t = 0; t < held.size(); ++t)
    if (held[t]) check(builder.pin(t));
  return builder.finish();
}

// Counts up in place, the last digit fastest. False if all digits were the largest; they are then the least.
bool count_up(std::vector<std::int64_t>& digits, std::int64_t least, std::int64_t most) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (digits[i] < most) {
      ++digits[i];
      return true;
    }
    digits[i] = least;
  }
  return false;
}

// Sets the digits of a number, and takes them from it.
void write_digits(std::vector<std::int64_t>& digits, std::int64_t least, std::int64_t most, std::uint64_t& number) {
  const auto base = static_cast<std::uint64_t>(most - least + 1);
  for (std::size_t i = digits.size(); i-- > 0; number /= base)
    digits[i] = least + static_cast<std::int64_t>(number % base);
}

}  // namespace

SkeletonPrograms::SkeletonPrograms(const Skeleton& skeleton, const EnumerationBounds& bounds)
    : size_least_(bounds.size_least),
      size_most_(bounds.size_most),
      cost_least_(bounds.cost_least),
      cost_most_(bounds.cost_most),
      program_(first_program(skeleton, bounds)) {
  sizes_.assign(program_.storages().size(), size_least_);
  costs_.assign(program_.operators().size(), cost_least_);
  const auto times = [&](std::int64_t least, std::int64_t most) {
    if (__builtin_mul_overflow(count_, static_cast<std::uint64_t>(most - least + 1), &count_))
      throw std::invalid_argument("enumeration: a skeleton has more programs than can be numbered; lower a bound");
  };
  for (std::size_t i = 0; i < sizes_.size(); ++i) times(size_least_, size_most_);
  for (std::size_t i = 0; i < costs_.size(); ++i) times(cost_least_, cost_most_);
}

void SkeletonPrograms::go_to(std::uint64_t index) {
  write_digits(costs_, cost_least_, cost_most_, index);
  write_digits(sizes_, size_least_, size_most_, index);
  apply();
}

bool SkeletonPrograms::next() {
  if (!count_up(costs_, cost_least_, cost_most_) && !count_up(sizes_, size_least_, size_most_)) {
    costs_.assign(costs_.size(), cost_most_);
    sizes_.assign(sizes_.size(), size_most_);
    return false;
  }
  apply();
  return true;
}

void SkeletonPrograms::set(const std::vector<Bytes>& sizes, const std::vector<Cost>& costs) {
  sizes_ = sizes;
  costs_ = costs;
  apply();
}

void SkeletonPrograms::apply() {
  if (const auto error = ProgramBuilder::revalue(program_, sizes_, costs_))
    throw std::logic_error("the enumeration made an invalid program: " + error->what);
}

}  // namespace pothole
