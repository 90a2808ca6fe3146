// What passes do with the sizes of storages and the costs of operators, which is the same for both.
#pragma once

#include <cstdint>
#include <vector>

#include "shrinker/pass.h"

namespace pothole {

// Sizes of storages, or costs of operators other than constants.
enum class Quantity : std::uint8_t { size, cost };

// One piece a value that is not 1: it becomes 1.
std::size_t count_not_one(const Holed& holed, Quantity quantity);
bool set_to_one(Holed& holed, Quantity quantity, std::size_t first, std::size_t last);

// Pieces are tried from the last one on, so the boldest comes last.
//
// One piece a step of the way down from a value v: v - 1, and further by twice as much each time, at last 1.
std::size_t count_steps_down(const Holed& holed, Quantity quantity);
bool take_step_down(Holed& holed, Quantity quantity, std::size_t piece);

// The same for all values that are equal.
std::size_t count_joint_steps_down(const Holed& holed, Quantity quantity);
bool take_joint_step_down(Holed& holed, Quantity quantity, std::size_t piece);

// One piece a value and another distinct one: it becomes equal to that.
std::size_t count_equals(const Holed& holed, Quantity quantity);
bool set_equal(Holed& holed, Quantity quantity, std::size_t piece);

// One piece a divisor of all values, ascending, the common factor among them; rounded down, but not to 0.
std::size_t count_divisors(const Holed& holed, Quantity quantity);
std::int64_t divisor_of(const Holed& holed, Quantity quantity, std::size_t piece);
bool divide_by(Holed& holed, Quantity quantity, std::int64_t divisor);

// One piece a number of digits, at last 1, that all values are rounded down to.
std::size_t count_digits(const Holed& holed, Quantity quantity);
bool round_to_digits(Holed& holed, Quantity quantity, std::size_t piece);

}  // namespace pothole
