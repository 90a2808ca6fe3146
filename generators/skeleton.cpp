// What can be said of a skeleton, and all of its programs.
#include <stdexcept>

#include "engine/program_builder.h"
#include "generators/enumeration.h"

namespace pothole {
namespace {

// One storage for each fresh output.
std::vector<StorageId> storages_of(const Skeleton& skeleton, std::size_t& count) {
  std::vector<StorageId> storage_of;
  count = 0;
  for (const Skeleton::Step& step : skeleton.steps)
    for (const std::int32_t output : step.outputs)
      storage_of.push_back(output == Skeleton::kFresh ? static_cast<StorageId>(count++)
                                                      : storage_of[step.arguments[static_cast<std::size_t>(output)]]);
  return storage_of;
}

// References of tensors, by storage, at the end.
std::vector<std::int64_t> references_at_end(const Skeleton& skeleton) {
  std::size_t storages = 0;
  const std::vector<StorageId> storage_of = storages_of(skeleton, storages);
  std::vector<std::int64_t> references(storages);
  for (const StorageId s : storage_of) ++references[s];
  for (const Skeleton::Step& step : skeleton.steps)
    for (const TensorId t : step.released) --references[storage_of[t]];
  return references;
}

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

bool can_rematerialize(const Skeleton& skeleton) {
  std::size_t storages = 0;
  const std::vector<StorageId> storage_of = storages_of(skeleton, storages);
  std::vector<bool> may_be_gone(storages);
  std::vector<std::int64_t> references(storages);
  std::size_t made = 0;
  for (const Skeleton::Step& step : skeleton.steps) {
    std::vector<bool> used(storages);
    for (const TensorId a : step.arguments) {
      if (may_be_gone[storage_of[a]]) return true;
      used[storage_of[a]] = true;
    }
    // The operator makes room: whatever is there and not among its arguments may go.
    for (std::size_t t = 0; t < made; ++t)
      if (!used[storage_of[t]]) may_be_gone[storage_of[t]] = true;
    for (std::size_t i = 0; i < step.outputs.size(); ++i) ++references[storage_of[made++]];
    for (const TensorId t : step.released)
      if (--references[storage_of[t]] == 0) may_be_gone[storage_of[t]] = true;
  }
  for (StorageId s = 0; s < storages; ++s)
    if (references[s] > 0 && may_be_gone[s]) return true;
  return false;
}

bool can_have_hole(const Skeleton& skeleton) {
  std::size_t storages = 0;
  const std::vector<StorageId> storage_of = storages_of(skeleton, storages);
  std::size_t outputs = 0;
  for (const std::int64_t references : references_at_end(skeleton)) outputs += references > 0 ? 1 : 0;
  bool others_in_use = outputs >= 2;
  for (const Skeleton::Step& step : skeleton.steps)
    for (const TensorId a : step.arguments)
      others_in_use = others_in_use || storage_of[a] != storage_of[step.arguments.front()];
  return others_in_use && can_rematerialize(skeleton);
}

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
