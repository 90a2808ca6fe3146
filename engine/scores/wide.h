// Numbers that no machine word holds: fractions of integers of any length, and functions whose doubles are
// correctly rounded. The only door to GMP and MPFR.
#pragma once

#include "engine/scores/formula.h"

namespace pothole::wide {

// Of a node that is a quotient: as the comparison mode sees it (engine/exact.h).
struct Rounded {
  double value = 0;
  bool zero = false;  // the numerator is 0, and the denominator is not
};
Rounded rounded(const Formula& formula, const Node& quotient, const ScoreInputs& inputs);

// Of the root, which is a quotient that is a number, without rounding.
int compare(const Formula& formula, const ScoreInputs& a, const ScoreInputs& b);

// Of a whole number made of numbers alone: the least n with its absolute value below 2^n, at least 1.
std::int64_t bits_of(const Formula& formula, NodeId constant);
// Likewise: its value; in place of one beyond `most` in either direction, `most` or `most` + 1 with its sign, odd if it
// is.
std::int64_t clamped(const Formula& formula, NodeId constant, std::int64_t most);

// To nearest, ties to even, subnormals and overflow as binary64 has them; special values as in C (Annex F).
double log(double x);
double exp(double x);
double power(double x, double y);

}  // namespace pothole::wide
