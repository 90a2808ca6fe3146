// Numbers that no machine word holds: fractions of integers of any length, and functions whose doubles are
// correctly rounded. The only door to GMP and MPFR.
#pragma once

#include "engine/scores/formula.h"

namespace pothole::wide {

// Of a node that is a quotient: as the comparison mode sees it (engine/exact.h), infinite where the denominator is 0.
struct Rounded {
  double value = 0;
  bool zero = false;  // the numerator is 0, and the denominator is not
};
Rounded rounded(const Formula& formula, const Node& quotient, const ScoreInputs& inputs);

// Of the root, which is a quotient, without rounding.
int compare(const Formula& formula, const ScoreInputs& a, const ScoreInputs& b);

// To nearest, ties to even, subnormals and overflow as binary64 has them; special values as in C (Annex F).
double log(double x);
double exp(double x);
double power(double x, double y);

}  // namespace pothole::wide
