// A score expression made ready to be evaluated, exactly wherever that has a meaning.
//
// Whole numbers (variables, numbers without a point, + - * min max abs, comparisons and ?: of them, and ^ with an
// exponent that is a whole number without variables) are exact. A quotient of two of them, and what + - * / ^, abs
// and ?: make of such quotients, is brought to one fraction, without cancelling, that is rounded to binary64 once. All
// else is computed in binary64, each operation correctly rounded, hence the same on every machine. Whole numbers,
// numerators and denominators may take kWholeBitsMax bits; an expression in which one may take more is refused.
//
// Division by zero has one rule in both arithmetics: x / 0 is infinity, whatever number x is, 0 and negative ones
// included. So the reference has it (semantics section 7: a denominator of 0 or below gives infinity); expressions
// differ in a negative denominator, which is divided by as any number. What follows is binary64's: infinity less
// infinity and infinity times 0 are not a number. What is computed from that is not a number either, comparisons and
// the condition of ?: included, but for x ^ 0, which is 1, and the side of ?: that is not taken.
//
// If the whole expression is one fraction (`pure`), scores are compared as engine/exact.h has it, in each
// of the comparison modes; a whole number is compared as such in all of them. So '(c + e) / (m * s)' is DTR to the
// last decision.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/exact.h"
#include "engine/scores/expression.h"

namespace pothole {

// By Variable; those that the formula does not use are unset.
using ScoreInputs = std::array<WideCost, kVariables>;

// A double under Comparison::reference and naive may under exact be a fraction (below); it stays one if its numerator
// or denominator may take more bits than this.
inline constexpr std::int64_t kWholeBitsMax = 8192;

struct Formula {
  // Nodes below a quotient are whole numbers, those above are doubles. The last is the root. of[2] of a quotient is the
  // same fraction operation by operation, down to quotients of two whole numbers: its value where of[1] is 0.
  std::vector<Node> nodes;
  bool pure = false;   // the root is a quotient
  bool whole = false;  // moreover without a denominator
  Comparison comparison = Comparison::reference;
  std::vector<Variable> variables;  // that are used
  Features needs;

  const Node& root() const { return nodes.back(); }
  bool compares_exactly() const { return whole || (pure && comparison == Comparison::exact); }
};

// Under Comparison::exact a number with a point is the rational that the double is, so that more is exact. Nothing, and
// the error set, if a whole number may take too many bits, under any comparison.
std::optional<Formula> formula_of(const Expression& expression, Comparison comparison, ExpressionError& error);

// What is known of a formula's value without evaluating it: whether it can be negative or not a number, and
// how it moves when one group of inputs grows and the others stay.
struct Trend {
  bool rises = false;  // may
  bool falls = false;
  friend Trend operator|(Trend a, Trend b) { return {a.rises || b.rises, a.falls || b.falls}; }
  Trend reversed() const { return {falls, rises}; }
};

enum class InputGroup : std::uint8_t {
  neighbourhood,  // e, ef, er and n together
  staleness,      // s
  growing,        // c, a, d, x: they only grow while a storage is in the pool
  passing,        // clock, resident, need
};
inline constexpr std::size_t kInputGroups = 4;

struct Behaviour {
  bool defined = true;    // never NaN
  bool negative = false;  // may be
  bool zero = false;      // may be
  bool infinite = false;  // may be
  std::int64_t bits = 0;  // finite values are below 2^bits
  std::array<Trend, kInputGroups> trends;

  const Trend& trend(InputGroup group) const { return trends[static_cast<std::size_t>(group)]; }
};
Behaviour behaviour_of(const Formula& formula);

// A score as far as it is needed: its value, or of a fraction an approximation as good as
// exact::kRelativeError says, with the fraction.
struct FormulaScore {
  double approximate = 0;
  WideCost numerator = 0;
  WideCost denominator = 0;  // positive; 0: there is only the value, which may not be a number
  bool zero = false;         // exactly, not merely rounded to it where the comparison is exact
};

FormulaScore score_of(const Formula& formula, const ScoreInputs& inputs);

// Negative, zero or positive as a is below, ties with, or is above b, neither of which is NaN. Nothing where that
// takes the inputs: then compare_fractions() has it.
std::optional<int> compare(const Formula& formula, const FormulaScore& a, const FormulaScore& b);
int compare_fractions(const Formula& formula, const ScoreInputs& a, const ScoreInputs& b);

}  // namespace pothole
