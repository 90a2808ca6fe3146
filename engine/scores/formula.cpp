// From an expression to a formula, and its value.
#include "engine/scores/formula.h"

#include <algorithm>
#include <cmath>

#include "engine/scores/whole.h"
#include "engine/scores/wide.h"

namespace pothole {
namespace {

constexpr std::int64_t kPowerMax = 64;  // of a fraction
// Sums over regions and classes have more bits than what is counted in bytes or time.
constexpr std::int64_t kVariableBits = 63, kSumBits = 127;

bool is_sum(Variable v) { return v == Variable::e || v == Variable::ef || v == Variable::er || v == Variable::q; }

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

class Builder {
 public:
  Builder(const Expression& expression, Comparison comparison) : expression_(expression) {
    formula_.comparison = comparison;
  }

  Formula build() {
    std::vector<Value> values;  // by node of the expression
    for (const Node& node : expression_.nodes) values.push_back(value_of(node, values));
    const Value& root = values.back();
    formula_.pure = root.is_fraction();
    formula_.whole = root.is_whole();
    // A double is the last node already: it was made last.
    if (formula_.pure) push({.kind = NodeKind::quotient, .of = {root.numerator, root.denominator, kNone}}, 0);
    return std::move(formula_);
  }

 private:
  // A fraction of whole numbers, or a double.
  struct Value {
    NodeId numerator = kNone, denominator = kNone;  // no denominator: 1
    NodeId real = kNone;
    bool is_fraction() const { return real == kNone; }
    bool is_whole() const { return is_fraction() && denominator == kNone; }
  };

  NodeId push(Node node, std::int64_t bits) {
    formula_.nodes.push_back(node);
    bits_.push_back(bits);
    return static_cast<NodeId>(formula_.nodes.size() - 1);
  }
  NodeId push(NodeKind kind, std::array<NodeId, 3> of, std::int64_t bits) {
    return push({.kind = kind, .of = of}, bits);
  }
  std::int64_t bits(NodeId id) const { return id == kNone ? 1 : bits_[id]; }
  NodeId one() { return push({.mantissa = 1}, 1); }

  NodeId product(NodeId a, NodeId b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    return push(NodeKind::multiply, {a, b, kNone}, bits(a) + bits(b));
  }
  NodeId real(const Value& value) {
    if (!value.is_fraction()) return value.real;
    return push(NodeKind::quotient, {value.numerator, value.denominator, kNone}, 0);
  }

  Value value_of(const Node& node, const std::vector<Value>& values) {
    if (node.kind == NodeKind::number) return number(node);
    if (node.kind == NodeKind::variable) return variable(node);
    std::array<Value, 3> operands;
    std::size_t count = 0;
    for (; count < 3 && node.of[count] != kNone; ++count) operands[count] = values[node.of[count]];
    const auto is_fraction = [](const Value& v) { return v.is_fraction(); };
    if (std::all_of(operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(count), is_fraction))
      if (const Value exact = fraction(node, operands); exact.numerator != kNone) return exact;
    Node result{.kind = node.kind};
    for (std::size_t i = 0; i < count; ++i) result.of[i] = real(operands[i]);
    return {.real = push(result, 0)};
  }

  Value number(Node node) {
    if (!node.whole && formula_.comparison != Comparison::exact) return {.real = push(node, 0)};
    node.whole = true;
    if (node.exponent >= 0) return {.numerator = push(node, 64 + node.exponent)};
    Node denominator{.mantissa = 1};
    denominator.exponent = static_cast<std::int16_t>(-node.exponent);
    node.exponent = 0;
    const NodeId numerator = push(node, 64);
    return {.numerator = numerator, .denominator = push(denominator, 1 + denominator.exponent)};
  }

  Value variable(const Node& node) {
    const auto& used = formula_.variables;
    if (std::find(used.begin(), used.end(), node.variable) == used.end()) {
      formula_.variables.push_back(node.variable);
      formula_.needs = formula_.needs | score_variables()[static_cast<std::size_t>(node.variable)].needs;
    }
    return {.numerator = push(node, is_sum(node.variable) ? kSumBits : kVariableBits)};
  }

  // No numerator: the operation is one of doubles.
  Value fraction(const Node& node, const std::array<Value, 3>& of) {
    const Value &a = of[0], &b = of[1];
    switch (node.kind) {
      case NodeKind::negate:
        return {.numerator = push(NodeKind::negate, {a.numerator, kNone, kNone}, bits(a.numerator)),
                .denominator = a.denominator};
      case NodeKind::abs: {
        const auto absolute = [&](NodeId id) {
          return id == kNone ? kNone : push(NodeKind::abs, {id, kNone, kNone}, bits(id));
        };
        const NodeId numerator = absolute(a.numerator);
        return {.numerator = numerator, .denominator = absolute(a.denominator)};
      }
      case NodeKind::add:
      case NodeKind::subtract:
        return sum(node.kind, a, b);
      case NodeKind::multiply:
        return multiplied(a.numerator, a.denominator, b.numerator, b.denominator);
      case NodeKind::divide:
        return multiplied(a.numerator, a.denominator, b.denominator, b.numerator);
      case NodeKind::power:
        return power(node, a);
      case NodeKind::select:
        return select(of);
      case NodeKind::sqrt:
      case NodeKind::log:
      case NodeKind::exp:
        return {};
      default:  // comparisons, min and max
        if (!a.is_whole() || !b.is_whole()) return {};
        return {.numerator =
                    push(node.kind, {a.numerator, b.numerator, kNone}, std::max(bits(a.numerator), bits(b.numerator)))};
    }
  }

  Value sum(NodeKind kind, const Value& a, const Value& b) {
    if (bits(a.numerator) + bits(a.denominator) + bits(b.numerator) + bits(b.denominator) > kFractionBitsMax) return {};
    const NodeId x = product(a.numerator, b.denominator), y = product(b.numerator, a.denominator);
    const NodeId numerator = push(kind, {x, y, kNone}, std::max(bits(x), bits(y)) + 1);
    return {.numerator = numerator, .denominator = product(a.denominator, b.denominator)};
  }

  // (a / b) * (c / d); kNone is 1.
  Value multiplied(NodeId a, NodeId b, NodeId c, NodeId d) {
    if (std::max(bits(a) + bits(c), bits(b) + bits(d)) > kFractionBitsMax) return {};
    const NodeId numerator = product(a, c);
    return {.numerator = numerator, .denominator = product(b, d)};
  }

  Value power(const Node& node, const Value& base) {
    const Node* exponent = &expression_.nodes[node.of[1]];
    const bool inverted = exponent->kind == NodeKind::negate;
    if (inverted) exponent = &expression_.nodes[exponent->of[0]];
    if (exponent->kind != NodeKind::number || !exponent->whole || exponent->mantissa > kPowerMax) return {};
    const std::int64_t n = exponent->mantissa;
    if (n * std::max(bits(base.numerator), bits(base.denominator)) > kFractionBitsMax) return {};
    const auto raised = [&](NodeId id) {
      if (id == kNone) return kNone;
      const NodeId count = push({.mantissa = n}, 7);
      return push(NodeKind::power, {id, count, kNone}, std::max<std::int64_t>(n * bits(id), 1));
    };
    Value result{.numerator = raised(base.numerator), .denominator = raised(base.denominator)};
    if (inverted) std::swap(result.numerator, result.denominator);
    if (result.numerator == kNone) result.numerator = one();
    return result;
  }

  Value select(const std::array<Value, 3>& of) {
    if (!of[0].is_whole()) return {};
    const auto selected = [&](NodeId a, NodeId b) {
      if (a == kNone) a = one();
      if (b == kNone) b = one();
      return push(NodeKind::select, {of[0].numerator, a, b}, std::max(bits(a), bits(b)));
    };
    const NodeId numerator = selected(of[1].numerator, of[2].numerator);
    if (of[1].is_whole() && of[2].is_whole()) return {.numerator = numerator};
    return {.numerator = numerator, .denominator = selected(of[1].denominator, of[2].denominator)};
  }

  const Expression& expression_;
  Formula formula_;
  std::vector<std::int64_t> bits_;  // by node of the formula: a whole number is below 2^bits
};

FormulaScore fraction_of(const Formula& formula, const Node& quotient, const ScoreInputs& inputs) {
  Narrow arithmetic;
  WideCost numerator = whole_value(arithmetic, formula, quotient.of[0], inputs);
  WideCost denominator = quotient.of[1] == kNone ? 1 : whole_value(arithmetic, formula, quotient.of[1], inputs);
  if (denominator < 0) {
    numerator = arithmetic.subtract(0, numerator);
    denominator = arithmetic.subtract(0, denominator);
  }
  if (!arithmetic.fits) {
    const wide::Rounded rounded = wide::rounded(formula, quotient, inputs);
    return {rounded.value, 0, 0, rounded.zero};
  }
  if (denominator == 0) return {exact::kInfinity, 0, 0, false};
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

double real_value(const Formula& formula, NodeId id, const ScoreInputs& inputs) {
  const Node& node = formula.nodes[id];
  if (node.kind == NodeKind::quotient) return rounded(fraction_of(formula, node, inputs));
  if (node.kind == NodeKind::number) return std::ldexp(static_cast<double>(node.mantissa), node.exponent);
  const auto operand = [&](std::size_t i) { return real_value(formula, node.of[i], inputs); };
  if (node.kind == NodeKind::select) return operand(0) != 0 ? operand(1) : operand(2);
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
      return wide::power(a, b);
    case NodeKind::less:
      return a < b;
    case NodeKind::less_equal:
      return a <= b;
    case NodeKind::equal:
      return a == b;
    case NodeKind::not_equal:
      return a != b;
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

Formula formula_of(const Expression& expression, Comparison comparison) {
  return Builder(expression, comparison).build();
}

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
