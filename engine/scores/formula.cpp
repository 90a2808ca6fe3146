// The value of a formula.
#include "engine/scores/formula.h"

#include <cmath>

#include "engine/scores/whole.h"
#include "engine/scores/wide.h"

namespace pothole {
namespace {

// Whole numbers that fit in 128 bits.
class Narrow {
 public:
  using Number = WideCost;
  bool fits = true;

  static Number number(WideCost value) { return value; }
  Number shifted(std::int64_t mantissa, int exponent) {
    if (exponent <= 63) return WideCost{mantissa} << exponent;
    fits = fits && mantissa == 0;
    return 0;
  }
  Number add(Number a, Number b) {
    Number result;
    fits = !__builtin_add_overflow(a, b, &result) && fits;
    return result;
  }
  Number subtract(Number a, Number b) {
    Number result;
    fits = !__builtin_sub_overflow(a, b, &result) && fits;
    return result;
  }
  Number multiply(Number a, Number b) {
    Number result;
    fits = !__builtin_mul_overflow(a, b, &result) && fits;
    return result;
  }
};

FormulaScore fraction_of(const Formula& formula, const Node& quotient, const ScoreInputs& inputs) {
  Narrow arithmetic;
  WideCost numerator = whole_value(arithmetic, formula, quotient.of[0], inputs);
  WideCost denominator = quotient.of[1] == kNone ? 1 : whole_value(arithmetic, formula, quotient.of[1], inputs);
  if (denominator < 0) {
    numerator = arithmetic.subtract(0, numerator);
    denominator = arithmetic.subtract(0, denominator);
  }
  if (!arithmetic.fits || (denominator == 0 && quotient.of[2] != kNone)) {
    const wide::Rounded rounded = wide::rounded(formula, quotient, inputs);
    return {rounded.value, 0, 0, rounded.zero};
  }
  if (denominator == 0 && quotient.of[2] == kNone) return {exact::kInfinity, 0, 0, false};
  const double value = exact::to_double(numerator) / exact::to_double(denominator);
  if (formula.comparison == Comparison::naive && !formula.whole) return {value, 0, 0, numerator == 0};
  return {value, numerator, denominator, numerator == 0};
}

double rounded(const FormulaScore& score) {
  if (score.denominator == 0) return score.approximate;
  return exact::rounded_quotient(score.numerator, static_cast<unsigned __int128>(score.denominator));
}

double least(double a, double b) { return std::isnan(a) || a < b ? a : b; }
double greatest(double a, double b) { return std::isnan(a) || b < a ? a : b; }

// As in C, but for a base of -0 and an exponent that is not a number.
double power(double a, double b) {
  if (std::isnan(b)) return b;
  return a == 0 && b < 0 ? exact::kInfinity : wide::power(a, b);
}

double compared(NodeKind kind, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return exact::kNotANumber;
  if (kind == NodeKind::less) return a < b;
  if (kind == NodeKind::less_equal) return a <= b;
  return (a == b) == (kind == NodeKind::equal);
}

double real_value(const Formula& formula, NodeId id, const ScoreInputs& inputs) {
  const Node& node = formula.nodes[id];
  if (node.kind == NodeKind::quotient) return rounded(fraction_of(formula, node, inputs));
  if (node.kind == NodeKind::number) return std::ldexp(static_cast<double>(node.mantissa), node.exponent);
  const auto operand = [&](std::size_t i) { return real_value(formula, node.of[i], inputs); };
  if (node.kind == NodeKind::select) {
    const double condition = operand(0);
    return std::isnan(condition) ? condition : operand(condition != 0 ? 1 : 2);
  }
  const double a = operand(0), b = node.of[1] == kNone ? 0 : operand(1);
  switch (node.kind) {
    case NodeKind::negate:
      return -a;
    case NodeKind::add:
      return a + b;
    case NodeKind::subtract:
      return a - b;
    case NodeKind::multiply:
      return a * b;
    case NodeKind::divide:
      return b == 0 && !std::isnan(a) ? exact::kInfinity : a / b;
    case NodeKind::power:
      return power(a, b);
    case NodeKind::less:
    case NodeKind::less_equal:
    case NodeKind::equal:
    case NodeKind::not_equal:
      return compared(node.kind, a, b);
    case NodeKind::min:
      return least(a, b);
    case NodeKind::max:
      return greatest(a, b);
    case NodeKind::abs:
      return std::abs(a);
    case NodeKind::sqrt:
      return std::sqrt(a);
    case NodeKind::log:
      return wide::log(a);
    default:
      return wide::exp(a);
  }
}

}  // namespace

FormulaScore score_of(const Formula& formula, const ScoreInputs& inputs) {
  if (formula.pure) return fraction_of(formula, formula.root(), inputs);
  const double value = real_value(formula, static_cast<NodeId>(formula.nodes.size() - 1), inputs);
  return {value, 0, 0, value == 0};
}

std::optional<int> compare(const Formula& formula, const FormulaScore& a, const FormulaScore& b) {
  if (formula.compares_exactly()) {
    if (a.denominator == 0 || b.denominator == 0) return std::nullopt;
    return exact::compare_quotients(a.numerator, a.denominator, b.numerator, b.denominator);
  }
  const double x = rounded(a), y = rounded(b);
  return x < y ? -1 : x > y;
}

int compare_fractions(const Formula& formula, const ScoreInputs& a, const ScoreInputs& b) {
  return wide::compare(formula, a, b);
}

}  // namespace pothole
