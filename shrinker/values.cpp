#include "shrinker/values.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace pothole {
namespace {

// Of a draft to change, or of one to read.
template <class SomeDraft>
auto places_in(SomeDraft& draft, Quantity quantity) {
  std::vector<decltype(&draft.tensors[0].size)> places;
  for (auto& step : draft.steps) {
    if (quantity == Quantity::cost && step.kind == Draft::Step::Kind::issue) places.push_back(&step.cost);
    if (quantity == Quantity::cost) continue;
    for (const TensorId t : step.outputs)
      if (!draft.tensors[t].alias_of) places.push_back(&draft.tensors[t].size);
  }
  return places;
}

std::vector<std::int64_t> values_of(const Holed& holed, Quantity quantity) {
  std::vector<std::int64_t> all;
  for (const std::int64_t* place : places_in(holed.draft, quantity)) all.push_back(*place);
  return all;
}

std::set<std::int64_t> distinct(const Holed& holed, Quantity quantity) {
  const std::vector<std::int64_t> all = values_of(holed, quantity);
  return {all.begin(), all.end()};
}

std::size_t steps_down(std::int64_t v) {
  return v <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(v - 1)));
}

std::int64_t step_down(std::int64_t v, std::size_t step) {
  const std::int64_t way = v - 1;
  return v - std::max<std::int64_t>(1, way >> (steps_down(v) - 1 - step));
}

bool change(std::int64_t& place, std::int64_t to) { return std::exchange(place, to) != to; }

}  // namespace

std::size_t count_not_one(const Holed& holed, Quantity quantity) {
  const std::vector<std::int64_t> all = values_of(holed, quantity);
  return all.size() - static_cast<std::size_t>(std::count(all.begin(), all.end(), 1));
}

bool set_to_one(Holed& holed, Quantity quantity, std::size_t first, std::size_t last) {
  std::size_t piece = 0;
  bool changed = false;
  for (std::int64_t* place : places_in(holed.draft, quantity)) {
    if (*place == 1) continue;
    if (piece >= first && piece < last) changed |= change(*place, 1);
    ++piece;
  }
  return changed;
}

std::size_t count_steps_down(const Holed& holed, Quantity quantity) {
  std::size_t count = 0;
  for (const std::int64_t v : values_of(holed, quantity)) count += steps_down(v);
  return count;
}

bool take_step_down(Holed& holed, Quantity quantity, std::size_t piece) {
  for (std::int64_t* place : places_in(holed.draft, quantity)) {
    const std::size_t steps = steps_down(*place);
    if (piece < steps) return change(*place, step_down(*place, piece));
    piece -= steps;
  }
  return false;
}

std::size_t count_joint_steps_down(const Holed& holed, Quantity quantity) {
  std::size_t count = 0;
  for (const std::int64_t v : distinct(holed, quantity)) count += steps_down(v);
  return count;
}

bool take_joint_step_down(Holed& holed, Quantity quantity, std::size_t piece) {
  for (const std::int64_t v : distinct(holed, quantity)) {
    const std::size_t steps = steps_down(v);
    if (piece >= steps) {
      piece -= steps;
      continue;
    }
    for (std::int64_t* place : places_in(holed.draft, quantity))
      if (*place == v) *place = step_down(v, piece);
    return true;
  }
  return false;
}

std::size_t count_equals(const Holed& holed, Quantity quantity) {
  return values_of(holed, quantity).size() * distinct(holed, quantity).size();
}

bool set_equal(Holed& holed, Quantity quantity, std::size_t piece) {
  const std::set<std::int64_t> others = distinct(holed, quantity);
  const std::vector<std::int64_t*> places = places_in(holed.draft, quantity);
  const auto to = std::next(others.begin(), static_cast<std::ptrdiff_t>(piece % others.size()));
  return change(*places[piece / others.size()], *to);
}

namespace {

// Powers of two below the largest value, and the common factor; ascending.
std::vector<std::int64_t> divisors(const Holed& holed, Quantity quantity) {
  std::set<std::int64_t> all;
  std::int64_t common = 0, largest = 0;
  for (const std::int64_t v : values_of(holed, quantity)) {
    common = std::gcd(common, v);
    largest = std::max(largest, v);
  }
  if (common > 1) all.insert(common);
  for (std::int64_t d = 2; d < largest; d *= 2) all.insert(d);
  return {all.begin(), all.end()};
}

}  // namespace

std::size_t count_divisors(const Holed& holed, Quantity quantity) { return divisors(holed, quantity).size(); }

std::int64_t divisor_of(const Holed& holed, Quantity quantity, std::size_t piece) {
  return divisors(holed, quantity)[piece];
}

bool divide_by(Holed& holed, Quantity quantity, std::int64_t divisor) {
  bool changed = false;
  for (std::int64_t* place : places_in(holed.draft, quantity))
    if (*place > 0) changed |= change(*place, std::max<std::int64_t>(1, *place / divisor));
  return changed;
}

std::size_t count_digits(const Holed& holed, Quantity quantity) {
  const std::set<std::int64_t> all = distinct(holed, quantity);
  return all.empty() ? 0 : std::to_string(*all.rbegin()).size() - 1;
}

bool round_to_digits(Holed& holed, Quantity quantity, std::size_t piece) {
  const std::size_t kept = count_digits(holed, quantity) - piece;
  bool changed = false;
  for (std::int64_t* place : places_in(holed.draft, quantity)) {
    std::string digits = std::to_string(*place);
    if (digits.size() > kept) std::fill(digits.begin() + static_cast<std::ptrdiff_t>(kept), digits.end(), '0');
    changed |= change(*place, std::stoll(digits));
  }
  return changed;
}

}  // namespace pothole
