// Score expressions for the slow model: the rules of engine/scores/formula.h once more, on rationals of any
// length, from a parser of its own. Slow and recursive; the text must be valid.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "engine/exact.h"
#include "tests/model/slow_state.h"

namespace pothole {

// The denominator is positive, or 0 for infinity.
struct SlowFraction {
  BigInt numerator, denominator;
};

// Whole scores compare exactly, quotients as the doubles they were rounded to or as the fractions they are.
// One policy has one kind.
using SlowScore = std::variant<BigInt, double, SlowFraction>;

// a / b rounded once to binary64, to nearest even; infinite if b <= 0.
double rounded_quotient(const BigInt& a, const BigInt& b);

// a / b as a comparison mode has it; infinite if b <= 0.
SlowScore slow_quotient(const BigInt& a, const BigInt& b, Comparison comparison);

// The rational number that a double is.
SlowFraction fraction_of(double value);

// Negative, zero or positive.
int order_of(const SlowScore& a, const SlowScore& b);
bool is_zero(const SlowScore& score);
bool is_not_a_number(const SlowScore& score);

struct SlowNode;

class SlowExpression {
 public:
  explicit SlowExpression(const std::string& text);
  SlowScore score(const std::function<BigInt(const std::string&)>& variable, Comparison comparison) const;

 private:
  std::shared_ptr<const SlowNode> root_;
};

}  // namespace pothole
