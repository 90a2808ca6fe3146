// The whole numbers of a formula, evaluated with any arithmetic of integers.
#pragma once

#include "engine/scores/formula.h"

namespace pothole {

// `Arithmetic` has a type Number with + - *, comparisons and a constructor from WideCost, or functions instead
// where these can fail.
template <class Arithmetic>
typename Arithmetic::Number whole_value(Arithmetic& in, const Formula& formula, NodeId id, const ScoreInputs& inputs) {
  using Number = typename Arithmetic::Number;
  const Node& node = formula.nodes[id];
  const auto operand = [&](std::size_t i) { return whole_value(in, formula, node.of[i], inputs); };
  const auto truth = [](bool value) { return Number(value ? 1 : 0); };
  switch (node.kind) {
    case NodeKind::number:
      return in.shifted(node.mantissa, node.exponent);
    case NodeKind::variable:
      return in.number(inputs[static_cast<std::size_t>(node.variable)]);
    case NodeKind::negate:
      return in.subtract(Number(0), operand(0));
    case NodeKind::add:
      return in.add(operand(0), operand(1));
    case NodeKind::subtract:
      return in.subtract(operand(0), operand(1));
    case NodeKind::multiply:
      return in.multiply(operand(0), operand(1));
    case NodeKind::power: {
      Number square = operand(0), result(1);
      for (std::int64_t n = formula.nodes[node.of[1]].mantissa; n > 0;) {
        if (n % 2 == 1) result = in.multiply(result, square);
        n /= 2;
        if (n > 0) square = in.multiply(square, square);
      }
      return result;
    }
    case NodeKind::less:
      return truth(operand(0) < operand(1));
    case NodeKind::less_equal:
      return truth(operand(0) <= operand(1));
    case NodeKind::equal:
      return truth(operand(0) == operand(1));
    case NodeKind::not_equal:
      return truth(operand(0) != operand(1));
    case NodeKind::select:
      return operand(0) != Number(0) ? operand(1) : operand(2);
    case NodeKind::min: {
      const Number a = operand(0), b = operand(1);
      return b < a ? b : a;
    }
    case NodeKind::max: {
      const Number a = operand(0), b = operand(1);
      return a < b ? b : a;
    }
    case NodeKind::abs: {
      const Number a = operand(0);
      return a < Number(0) ? in.subtract(Number(0), a) : a;
    }
    default:
      return Number(0);  // no other kind is a whole number
  }
}

}  // namespace pothole
