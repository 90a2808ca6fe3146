#include "generators/enumeration.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "engine/program_builder.h"

namespace pothole {
namespace {

constexpr std::uint32_t kTensorsMostLists = 8, kTensorsMostSets = 12;
constexpr std::int64_t kQuantityMost = std::int64_t{1} << 40;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("enumeration: " + what); }

template <class Number>
Number sum(Number a, Number b) {
  Number result{};
  if (__builtin_add_overflow(a, b, &result)) refuse("more programs than can be numbered; lower a bound");
  return result;
}

ProgramNumber product(ProgramNumber a, ProgramNumber b) {
  ProgramNumber result{};
  if (__builtin_mul_overflow(a, b, &result)) refuse("more programs than can be numbered; lower a bound");
  return result;
}

void check(const EnumerationBounds& b) {
  if (b.operators == 0 || b.outputs_most == 0) refuse("at least one operator with one output each");
  if (b.size_least < 0 || b.size_least > b.size_most || b.size_most > kQuantityMost)
    refuse("sizes are a range within 0 .. 2^40");
  if (b.cost_least < 0 || b.cost_least > b.cost_most || b.cost_most > kQuantityMost)
    refuse("costs are a range within 0 .. 2^40");
  const bool lists = b.arguments == EnumerationBounds::Arguments::lists;
  const std::uint32_t most = lists ? kTensorsMostLists : kTensorsMostSets;
  if (std::uint64_t{b.operators} * b.outputs_most > most) refuse("at most " + std::to_string(most) + " tensors");
}

// All lists of distinct numbers below `count`, a list before those that it begins.
class Lists {
 public:
  Lists(std::uint32_t count, bool ascending) : count_(count), ascending_(ascending) { extend(); }
  std::vector<std::vector<std::uint32_t>> all;

 private:
  void extend() {
    all.push_back(list_);
    for (std::uint32_t i = ascending_ && !list_.empty() ? list_.back() + 1 : 0; i < count_; ++i) {
      if (std::find(list_.begin(), list_.end(), i) != list_.end()) continue;
      list_.push_back(i);
      extend();
      list_.pop_back();
    }
  }

  std::uint32_t count_;
  bool ascending_;
  std::vector<std::uint32_t> list_;
};

std::vector<TensorId> members(std::uint32_t set) {
  std::vector<TensorId> all;
  for (; set != 0; set &= set - 1) all.push_back(static_cast<TensorId>(std::countr_zero(set)));
  return all;
}

// The member of a set of sets: bit i of `choice` is the i-th member of `held`.
std::uint32_t chosen(std::uint32_t held, std::uint32_t choice) {
  std::uint32_t set = 0;
  for (; choice != 0; choice >>= 1, held &= held - 1)
    if (choice & 1) set |= held & -held;
  return set;
}

// Every sequence of one to `most` outputs, one before those that it begins; stops when visit returns false.
template <class Visit>
bool for_each_outputs(const std::vector<std::int32_t>& ways, std::uint32_t most, std::vector<std::int32_t>& outputs,
                      const Visit& visit) {
  if (!outputs.empty() && !visit(outputs)) return false;
  if (outputs.size() == most) return true;
  for (const std::int32_t way : ways) {
    outputs.push_back(way);
    const bool go_on = for_each_outputs(ways, most, outputs, visit);
    outputs.pop_back();
    if (!go_on) return false;
  }
  return true;
}

}  // namespace

std::string Enumeration::Situation::key(std::uint32_t operators_left, bool releasing) const {
  // Storages differ for what follows by their number of tensors and of held ones alone.
  std::string counts(storages, '\0');
  for (TensorId t = 0; t < storage_of.size(); ++t) {
    char& storage = counts[storage_of[t]];
    storage = static_cast<char>(storage + ((held >> t & 1) != 0 ? 17 : 1));
  }
  std::sort(counts.begin(), counts.end());
  counts += static_cast<char>(2 * operators_left + (releasing ? 1 : 0));
  return counts;
}

template <class Visit>
void Enumeration::for_each_operator(const Situation& situation, const Visit& visit) const {
  std::vector<TensorId> usable;
  for (TensorId t = 0; t < situation.storage_of.size(); ++t)
    if (bounds_.late_uses || (situation.held >> t & 1) != 0) usable.push_back(t);
  std::vector<TensorId> arguments;
  std::vector<std::int32_t> ways, outputs;
  for (const std::vector<std::uint32_t>& list : lists_[usable.size()]) {
    arguments.clear();
    for (const std::uint32_t place : list) arguments.push_back(usable[place]);
    ways.assign(1, Skeleton::kFresh);
    std::uint32_t joined = 0;  // storages, one bit each
    for (std::size_t i = 0; bounds_.aliases && i < arguments.size(); ++i) {
      const std::uint32_t bit = 1u << situation.storage_of[arguments[i]];
      if ((joined & bit) == 0) ways.push_back(static_cast<std::int32_t>(i));
      joined |= bit;
    }
    if (!for_each_outputs(ways, bounds_.outputs_most, outputs,
                          [&](const std::vector<std::int32_t>& made) { return visit(arguments, made); }))
      return;
  }
}

Enumeration::Situation Enumeration::after(const Situation& situation, const std::vector<TensorId>& arguments,
                                          const std::vector<std::int32_t>& outputs) {
  Situation next = situation;
  for (const std::int32_t output : outputs) {
    next.held |= 1u << next.storage_of.size();
    next.storage_of.push_back(output == Skeleton::kFresh
                                  ? next.storages++
                                  : situation.storage_of[arguments[static_cast<std::size_t>(output)]]);
  }
  return next;
}

ProgramNumber Enumeration::values_of(const std::vector<std::int32_t>& outputs) const {
  auto values = static_cast<ProgramNumber>(bounds_.cost_most - bounds_.cost_least) + 1;
  for (const std::int32_t output : outputs)
    if (output == Skeleton::kFresh)
      values = product(values, static_cast<ProgramNumber>(bounds_.size_most - bounds_.size_least) + 1);
  return values;
}

Enumeration::Count Enumeration::count(const Situation& situation, std::uint32_t operators_left) {
  if (operators_left == 0) return {1, 1};
  const std::string key = situation.key(operators_left, false);
  if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
  Count total;
  for_each_operator(situation, [&](const auto& arguments, const auto& outputs) {
    const Count one = count_releasing(after(situation, arguments, outputs), operators_left);
    total.skeletons = sum(total.skeletons, one.skeletons);
    total.programs = sum(total.programs, product(values_of(outputs), one.programs));
    return true;
  });
  return counts_[key] = total;
}

Enumeration::Count Enumeration::count_releasing(const Situation& situation, std::uint32_t operators_left) {
  const std::string key = situation.key(operators_left, true);
  if (const auto known = counts_.find(key); known != counts_.end()) return known->second;
  Count total;
  Situation next = situation;
  const std::uint32_t choices = bounds_.releases ? 1u << std::popcount(situation.held) : 1;
  for (std::uint32_t choice = 0; choice < choices; ++choice) {
    next.held = situation.held & ~chosen(situation.held, choice);
    const Count one = count(next, operators_left - 1);
    total.skeletons = sum(total.skeletons, one.skeletons);
    total.programs = sum(total.programs, one.programs);
  }
  return counts_[key] = total;
}

Enumeration::Enumeration(const EnumerationBounds& bounds) : bounds_(bounds) {
  check(bounds);
  const std::uint32_t usable_most = (bounds.operators - 1) * bounds.outputs_most;
  for (std::uint32_t usable = 0; usable <= usable_most; ++usable)
    lists_.push_back(Lists(usable, bounds.arguments == EnumerationBounds::Arguments::sets).all);
  total_ = count({}, bounds.operators);
}

// Goes through the leaves of the tree of choices whose numbers are wanted, and skips other branches by their counts.
class EnumerationWalk {
 public:
  // Called with each skeleton and the number of its first program, or of itself.
  using Visit = std::function<void(const Skeleton&, ProgramNumber first, ProgramNumber count)>;

  EnumerationWalk(const Enumeration& all, bool by_programs, ProgramNumber from, ProgramNumber to, const Visit& visit)
      : all_(all), by_programs_(by_programs), from_(from), to_(to), visit_(visit) {
    skeleton_.steps.resize(all.bounds_.operators);
  }

  void go() { choose_operator({}, 0, 1); }

 private:
  using Situation = Enumeration::Situation;

  ProgramNumber count_of(const Situation& situation, std::uint32_t left, bool releasing) const {
    if (left == 0) return 1;
    const Enumeration::Count& count = all_.counts_.at(situation.key(left, releasing));
    return by_programs_ ? count.programs : count.skeletons;
  }
  std::uint32_t left_after(std::size_t done) const { return all_.bounds_.operators - static_cast<std::uint32_t>(done); }

  // Is there nothing wanted among the next `count`? Then they are passed.
  bool skip(ProgramNumber count) {
    if (at_ + count > from_) return false;
    at_ += count;
    return true;
  }

  // `each`: how many programs the choices so far make of one.
  void choose_operator(const Situation& situation, std::size_t done, ProgramNumber each) {
    if (done == skeleton_.steps.size()) {
      visit_(skeleton_, at_, each);
      at_ += each;
      return;
    }
    all_.for_each_operator(situation, [&](const auto& arguments, const auto& outputs) {
      if (at_ >= to_) return false;
      const Situation next = Enumeration::after(situation, arguments, outputs);
      const ProgramNumber values = by_programs_ ? each * all_.values_of(outputs) : 1;
      if (at_ < from_ && skip(values * count_of(next, left_after(done), true))) return true;
      skeleton_.steps[done].arguments = arguments;
      skeleton_.steps[done].outputs = outputs;
      choose_releases(next, done, values);
      return true;
    });
  }

  void choose_releases(Situation situation, std::size_t done, ProgramNumber each) {
    const std::uint32_t held = situation.held;
    const std::uint32_t choices = all_.bounds_.releases ? 1u << std::popcount(held) : 1;
    for (std::uint32_t choice = 0; choice < choices && at_ < to_; ++choice) {
      const std::uint32_t released = chosen(held, choice);
      situation.held = held & ~released;
      if (at_ < from_ && skip(each * count_of(situation, left_after(done) - 1, false))) continue;
      skeleton_.steps[done].released = members(released);
      choose_operator(situation, done + 1, each);
    }
  }

  const Enumeration& all_;
  const bool by_programs_;
  const ProgramNumber from_, to_;
  const Visit& visit_;
  ProgramNumber at_ = 0;
  Skeleton skeleton_;
};

void Enumeration::for_each_skeleton(std::uint64_t from, std::uint64_t to,
                                    const std::function<void(const Skeleton&)>& visit) const {
  EnumerationWalk(*this, false, from, to, [&](const Skeleton& skeleton, ProgramNumber, ProgramNumber) {
    visit(skeleton);
  }).go();
}

Skeleton Enumeration::skeleton(std::uint64_t index) const {
  Skeleton found;
  for_each_skeleton(index, index + 1, [&](const Skeleton& skeleton) { found = skeleton; });
  return found;
}

void Enumeration::for_each(ProgramNumber from, ProgramNumber to,
                           const std::function<void(const Program&)>& visit) const {
  EnumerationWalk(*this, true, from, to, [&](const Skeleton& skeleton, ProgramNumber first, ProgramNumber count) {
    SkeletonPrograms programs(skeleton, bounds_);
    const ProgramNumber begin = std::max(from, first) - first;
    const ProgramNumber end = std::min(to - first, count);
    programs.go_to(static_cast<std::uint64_t>(begin));
    for (ProgramNumber i = begin; i < end; ++i) {
      visit(programs.program());
      programs.next();
    }
  }).go();
}

Program Enumeration::program(ProgramNumber index) const {
  Program found;
  for_each(index, index + 1, [&](const Program& program) { found = program; });
  return found;
}

}  // namespace pothole
