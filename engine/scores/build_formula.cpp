// From an expression to a formula: what is exact is told from what is not by the form of the expression alone.
#include <algorithm>
#include <string>

#include "engine/scores/formula.h"
#include "engine/scores/wide.h"

namespace pothole {
namespace {

// Sums over regions and classes have more bits than what is counted in bytes or time.
constexpr std::int64_t kVariableBits = 63, kSumBits = 127;

bool is_sum(Variable v) { return v == Variable::e || v == Variable::ef || v == Variable::er || v == Variable::q; }

// Thrown where a whole number may take too many bits.
struct TooLong {
  std::size_t at;
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
    if (formula_.pure) push_quotient(root);
    return std::move(formula_);
  }

 private:
  // A fraction of whole numbers, or a double.
  struct Value {
    NodeId numerator = kNone, denominator = kNone;  // no denominator: 1
    NodeId steps = kNone;                           // its operations, unless it is one quotient of whole numbers
    NodeId real = kNone;
    bool pointed = false;   // made from a number with a point: a double unless the comparison is exact
    bool too_long = false;  // there are no nodes
    bool is_fraction() const { return real == kNone; }
    bool is_whole() const { return is_fraction() && denominator == kNone; }
  };
  using Operands = std::array<Value, 3>;

  struct Known {
    std::int64_t bits = 0;  // a whole number is below 2^bits
    bool constant = false;  // no variable in it
  };

  NodeId push(const Node& node, std::int64_t bits, bool constant) {
    formula_.nodes.push_back(node);
    const auto id = static_cast<NodeId>(formula_.nodes.size() - 1);
    known_.push_back({constant ? wide::bits_of(formula_, id) : bits, constant});
    return id;
  }
  NodeId push_number(const Node& node) { return push(node, 0, true); }
  NodeId push_whole(NodeKind kind, std::array<NodeId, 3> of, std::int64_t bits) {
    const auto constant = [&](NodeId id) { return id == kNone || known_[id].constant; };
    return push({.kind = kind, .of = of}, bits, std::all_of(of.begin(), of.end(), constant));
  }
  NodeId push_real(NodeKind kind, std::array<NodeId, 3> of) {
    return push({.kind = kind, .whole = false, .of = of}, 0, false);
  }
  NodeId push_quotient(const Value& value) {
    return push_real(NodeKind::quotient, {value.numerator, value.denominator, value.steps});
  }

  std::int64_t bits(NodeId id) const { return id == kNone ? 1 : known_[id].bits; }
  bool constant(NodeId id) const { return id == kNone || known_[id].constant; }
  NodeId one() { return push_number({.mantissa = 1}); }

  // kNone is 1.
  NodeId product(NodeId a, NodeId b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    return push_whole(NodeKind::multiply, {a, b, kNone}, bits(a) + bits(b));
  }
  NodeId real(const Value& value) { return value.is_fraction() ? push_quotient(value) : value.real; }
  NodeId step(const Value& value) {
    if (value.is_whole()) return value.numerator;
    return value.steps == kNone ? push_quotient(value) : value.steps;
  }

  Value value_of(const Node& node, const std::vector<Value>& values) {
    if (node.kind == NodeKind::number) return number(node);
    if (node.kind == NodeKind::variable) return variable(node);
    Operands operands;
    std::size_t count = 0;
    bool exact = true, pointed = false;
    for (; count < 3 && node.of[count] != kNone; ++count) {
      operands[count] = values[node.of[count]];
      exact = exact && operands[count].is_fraction();
      pointed = pointed || operands[count].pointed;
    }
    if (exact) {
      const std::size_t before = formula_.nodes.size();
      Value made = fraction(node, operands);
      made.pointed = pointed;
      const bool fits = !made.too_long && std::max(bits(made.numerator), bits(made.denominator)) <= kWholeBitsMax;
      if (fits && made.numerator != kNone) return made;
      if (!fits && !pointed) throw TooLong{node.at};
      formula_.nodes.resize(before);
      known_.resize(before);
    }
    std::array<NodeId, 3> of = {kNone, kNone, kNone};
    for (std::size_t i = 0; i < count; ++i) of[i] = real(operands[i]);
    return {.real = push_real(node.kind, of)};
  }

  Value number(Node node) {
    if (node.whole) return {.numerator = push_number(node)};
    if (formula_.comparison != Comparison::exact) return {.real = push(node, 0, false)};
    node.whole = true;
    if (node.exponent >= 0) return {.numerator = push_number(node), .pointed = true};
    Node denominator{.mantissa = 1};
    denominator.exponent = static_cast<std::int16_t>(-node.exponent);
    node.exponent = 0;
    const NodeId numerator = push_number(node);
    return {.numerator = numerator, .denominator = push_number(denominator), .pointed = true};
  }

  Value variable(const Node& node) {
    const auto& used = formula_.variables;
    if (std::find(used.begin(), used.end(), node.variable) == used.end()) {
      formula_.variables.push_back(node.variable);
      formula_.needs = formula_.needs | score_variables()[static_cast<std::size_t>(node.variable)].needs;
    }
    return {.numerator = push(node, is_sum(node.variable) ? kSumBits : kVariableBits, false)};
  }

  // No numerator: the operation is one of doubles.
  Value fraction(const Node& node, const Operands& of) {
    const Value &a = of[0], &b = of[1];
    switch (node.kind) {
      case NodeKind::negate:
        return with_steps(node.kind, of,
                          {.numerator = same_size(node.kind, a.numerator), .denominator = a.denominator});
      case NodeKind::abs: {
        const NodeId numerator = same_size(node.kind, a.numerator);
        return with_steps(node.kind, of, {.numerator = numerator, .denominator = same_size(node.kind, a.denominator)});
      }
      case NodeKind::add:
      case NodeKind::subtract:
        return with_steps(node.kind, of, sum(node.kind, a, b));
      case NodeKind::multiply:
        return with_steps(node.kind, of, multiplied(a.numerator, a.denominator, b.numerator, b.denominator));
      case NodeKind::divide: {
        const Value made = multiplied(a.numerator, a.denominator, b.denominator, b.numerator);
        return a.is_whole() && b.is_whole() ? made : with_steps(node.kind, of, made);
      }
      case NodeKind::power:
        return power(a, b);
      case NodeKind::select:
        return select(of);
      case NodeKind::sqrt:
      case NodeKind::log:
      case NodeKind::exp:
        return {};
      case NodeKind::min:
      case NodeKind::max:
        return of_wholes(node.kind, a, b, std::max(bits(a.numerator), bits(b.numerator)));
      default:  // comparisons
        return of_wholes(node.kind, a, b, 1);
    }
  }

  // The operation on its operands as they are, for where the fraction says too little: its denominator is 0.
  Value with_steps(NodeKind kind, const Operands& operands, Value made) {
    if (made.is_whole()) return made;
    std::array<NodeId, 3> of = {kNone, kNone, kNone};
    for (std::size_t i = 0; i < 3; ++i)
      if (operands[i].numerator != kNone) of[i] = step(operands[i]);
    made.steps = push_real(kind, of);
    return made;
  }

  NodeId same_size(NodeKind kind, NodeId id) {
    return id == kNone ? kNone : push_whole(kind, {id, kNone, kNone}, bits(id));
  }

  Value of_wholes(NodeKind kind, const Value& a, const Value& b, std::int64_t bits) {
    if (!a.is_whole() || !b.is_whole()) return {};
    return {.numerator = push_whole(kind, {a.numerator, b.numerator, kNone}, bits)};
  }

  Value sum(NodeKind kind, const Value& a, const Value& b) {
    const NodeId x = product(a.numerator, b.denominator), y = product(b.numerator, a.denominator);
    const NodeId numerator = push_whole(kind, {x, y, kNone}, std::max(bits(x), bits(y)) + 1);
    return {.numerator = numerator, .denominator = product(a.denominator, b.denominator)};
  }

  // (a / b) * (c / d); kNone is 1.
  Value multiplied(NodeId a, NodeId b, NodeId c, NodeId d) {
    const NodeId numerator = product(a, c);
    return {.numerator = numerator, .denominator = product(b, d)};
  }

  // `id` to the n-th; nothing where it takes too many bits.
  std::optional<NodeId> raised(NodeId id, std::int64_t n) {
    if (id == kNone) return kNone;
    std::int64_t least = n * bits(id);  // of the bits that it takes, and all that there are if it is no constant
    if (bits(id) == 1) {
      n = n > 2 ? 2 - n % 2 : n;  // of -1, 0 and 1 the same power
      least = 1;
    } else if (constant(id)) {
      least -= n - 1;
    }
    if (least > kWholeBitsMax) return std::nullopt;
    const NodeId count = push_number({.mantissa = n});
    return push_whole(NodeKind::power, {id, count, kNone}, std::max<std::int64_t>(least, 1));
  }

  // Whole if the exponent is a constant that is, and not through a number with a point.
  Value power(const Value& base, const Value& exponent) {
    if (!exponent.is_whole() || !constant(exponent.numerator) || exponent.pointed) return {};
    const std::int64_t n = wide::clamped(formula_, exponent.numerator, 2 * kWholeBitsMax);
    const auto numerator = raised(base.numerator, std::abs(n)), denominator = raised(base.denominator, std::abs(n));
    if (!numerator || !denominator) return {.too_long = true};
    Value made{.numerator = *numerator, .denominator = *denominator};
    if (!base.is_whole()) {
      const NodeId count = push_number({.mantissa = std::abs(n)});
      made.steps = push_real(NodeKind::power, {step(base), count, kNone});
    }
    return n < 0 ? inverted(made) : made;
  }

  Value inverted(const Value& value) {
    const NodeId numerator = value.denominator == kNone ? one() : value.denominator;
    Value made{.numerator = numerator, .denominator = value.numerator};
    if (value.steps != kNone) made.steps = push_real(NodeKind::divide, {one(), value.steps, kNone});
    return made;
  }

  Value select(const Operands& of) {
    if (!of[0].is_whole()) return {};
    const auto selected = [&](NodeId a, NodeId b) {
      if (a == kNone) a = one();
      if (b == kNone) b = one();
      return push_whole(NodeKind::select, {of[0].numerator, a, b}, std::max(bits(a), bits(b)));
    };
    const NodeId numerator = selected(of[1].numerator, of[2].numerator);
    if (of[1].is_whole() && of[2].is_whole()) return {.numerator = numerator};
    return with_steps(NodeKind::select, of,
                      {.numerator = numerator, .denominator = selected(of[1].denominator, of[2].denominator)});
  }

  const Expression& expression_;
  Formula formula_;
  std::vector<Known> known_;  // by node of the formula
};

}  // namespace

std::optional<Formula> formula_of(const Expression& expression, Comparison comparison, ExpressionError& error) {
  try {
    return Builder(expression, comparison).build();
  } catch (const TooLong& place) {
    const std::string bits = std::to_string(kWholeBitsMax);
    error = {place.at, 1,
             "the whole number made here may take more than " + bits + " bits, and no more are kept exactly",
             "a number with a point makes it a double: 1.0 * x, x ^ 9.0"};
    return std::nullopt;
  }
}

}  // namespace pothole
