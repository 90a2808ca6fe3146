// How a formula can move, node by node: what makes the lazy scan allowed (engine/scan.h). On the safe side
// throughout: "may" where it is not clear. Correctly rounded operations move as the exact ones do.
#include <algorithm>
#include <cmath>

#include "engine/scores/formula.h"

namespace pothole {
namespace {

constexpr std::int64_t kDoubleBits = 1000;  // sums and products of finite values below 2^1000 are looked at

std::optional<InputGroup> group_of(Variable variable) {
  switch (variable) {
    case Variable::e:
    case Variable::ef:
    case Variable::er:
    case Variable::n:
      return InputGroup::neighbourhood;
    case Variable::s:
      return InputGroup::staleness;
    case Variable::c:
    case Variable::a:
    case Variable::d:
    case Variable::x:
      return InputGroup::growing;
    case Variable::clock:
    case Variable::resident:
    case Variable::need:
      return InputGroup::passing;
    case Variable::m:
    case Variable::k:
      return std::nullopt;  // stays while the storage is in the pool
    case Variable::q:
      break;
  }
  return std::nullopt;  // a formula with q is never scanned lazily
}

bool may_be_zero(Variable variable) { return variable != Variable::clock && variable != Variable::d; }

Behaviour of_variable(Variable variable) {
  Behaviour b;
  b.negative = variable == Variable::q;
  b.zero = may_be_zero(variable);
  b.bits = 127;
  if (const auto group = group_of(variable)) b.trends[static_cast<std::size_t>(*group)].rises = true;
  return b;
}

bool moves(const Trend& trend) { return trend.rises || trend.falls; }
Trend either_way(bool moving) { return {moving, moving}; }

// a and b put together so that the result rises with both.
Behaviour joined(const Behaviour& a, const Behaviour& b) {
  Behaviour r;
  r.defined = a.defined && b.defined;
  r.negative = a.negative || b.negative;
  r.zero = a.zero || b.zero;
  r.infinite = a.infinite || b.infinite;
  r.bits = std::max(a.bits, b.bits);
  for (std::size_t g = 0; g < kInputGroups; ++g) r.trends[g] = a.trends[g] | b.trends[g];
  return r;
}

Behaviour reversed(Behaviour b) {
  for (Trend& trend : b.trends) trend = trend.reversed();
  return b;
}

Behaviour either_way(Behaviour b) {
  for (Trend& trend : b.trends) trend = either_way(moves(trend));
  return b;
}

Behaviour negated(const Behaviour& a) {
  Behaviour r = reversed(a);
  r.negative = true;
  return r;
}

Behaviour sum(const Behaviour& a, const Behaviour& b) {
  Behaviour r = joined(a, b);
  r.defined = r.defined && !(a.infinite && b.infinite && r.negative);
  r.zero = r.negative || (a.zero && b.zero);
  r.bits = r.bits + 1;
  r.infinite = r.infinite || r.bits > kDoubleBits;
  return r;
}

Behaviour product(const Behaviour& a, const Behaviour& b, bool whole) {
  Behaviour r = joined(a, b);
  if (r.negative) {
    for (std::size_t g = 0; g < kInputGroups; ++g) {
      // A factor that stays and is not negative turns nothing around.
      const bool turns = (a.negative && moves(b.trends[g])) || (b.negative && moves(a.trends[g])) ||
                         (moves(a.trends[g]) && moves(b.trends[g]));
      if (turns) r.trends[g] = either_way(true);
    }
  }
  r.bits = a.bits + b.bits;
  if (whole) return r;
  r.defined = r.defined && !(a.infinite && b.zero) && !(a.zero && b.infinite);
  r.zero = true;  // what is small enough rounds to 0
  r.infinite = r.infinite || r.bits > kDoubleBits;
  return r;
}

// `whole`: of integers, hence never below 1 / the denominator.
Behaviour quotient(const Behaviour& a, const Behaviour& b, bool whole) {
  Behaviour r = joined(a, reversed(b));
  if (r.negative) {
    for (std::size_t g = 0; g < kInputGroups; ++g)
      if (moves(b.trends[g]) || (b.negative && moves(a.trends[g]))) r.trends[g] = either_way(true);
  }
  r.infinite = a.infinite || b.zero || !whole;
  r.defined = r.defined && !(a.infinite && b.infinite);
  r.zero = a.zero || !whole || a.bits + b.bits > kDoubleBits;
  r.bits = a.bits;
  if (r.bits > kDoubleBits) r.infinite = true;
  return r;
}

Behaviour comparison(NodeKind kind, const Behaviour& a, const Behaviour& b) {
  const bool ordered = kind == NodeKind::less || kind == NodeKind::less_equal;
  Behaviour r = ordered ? joined(reversed(a), b) : either_way(joined(a, b));
  r.negative = r.infinite = false;
  r.zero = true;
  r.bits = 1;
  return r;
}

Behaviour selection(const Behaviour& condition, const Behaviour& a, const Behaviour& b) {
  Behaviour r = joined(a, b);
  r.defined = r.defined && condition.defined;
  for (std::size_t g = 0; g < kInputGroups; ++g)
    if (moves(condition.trends[g])) r.trends[g] = either_way(true);
  return r;
}

Behaviour extreme(NodeKind kind, const Behaviour& a, const Behaviour& b) {
  Behaviour r = joined(a, b);
  if (kind == NodeKind::max) {
    r.negative = a.negative && b.negative;
    if (!a.negative && !b.negative) r.zero = a.zero && b.zero;
  }
  return r;
}

Behaviour absolute(const Behaviour& a) {
  Behaviour r = a.negative ? either_way(a) : a;
  r.negative = false;
  return r;
}

bool stays(const Behaviour& b) {
  return std::none_of(b.trends.begin(), b.trends.end(), [](const Trend& trend) { return moves(trend); });
}

Behaviour power(const Behaviour& base, const Behaviour& exponent, const Node& exponent_node) {
  Behaviour r = joined(base, exponent);
  if (base.negative || exponent.negative || !stays(exponent)) r = either_way(r);
  r.defined = r.defined && !base.negative;
  r.zero = r.infinite = true;
  if (exponent_node.kind != NodeKind::number || base.infinite) return r;
  const double power = std::ldexp(static_cast<double>(exponent_node.mantissa), exponent_node.exponent);
  if (power * static_cast<double>(base.bits) > kDoubleBits) return r;
  r.bits = static_cast<std::int64_t>(std::ceil(power * static_cast<double>(base.bits))) + 1;
  r.infinite = false;
  return r;
}

Behaviour whole_power(const Behaviour& base, std::int64_t exponent) {
  Behaviour r = base.negative ? either_way(base) : base;
  r.bits = base.bits * exponent;
  r.zero = base.zero && exponent > 0;
  return r;
}

Behaviour function(NodeKind kind, const Behaviour& a) {
  Behaviour r = a;
  if (kind == NodeKind::exp) {
    r.negative = false;
    r.zero = r.infinite = true;
    return r;
  }
  r.defined = a.defined && !a.negative;
  if (kind == NodeKind::sqrt) return r;
  r.negative = r.zero = true;
  r.infinite = a.infinite || a.zero;
  r.bits = 11;
  return r;
}

Behaviour of_number(const Node& node) {
  Behaviour b;
  b.zero = node.mantissa == 0;
  b.bits = 64 + std::max<std::int64_t>(node.exponent, 0);
  b.infinite = false;
  return b;
}

}  // namespace

Behaviour behaviour_of(const Formula& formula) {
  std::vector<Behaviour> known;  // by node
  Behaviour one;
  one.bits = 1;
  for (const Node& node : formula.nodes) {
    const Behaviour a = node.of[0] == kNone ? one : known[node.of[0]];
    const Behaviour b = node.of[1] == kNone ? one : known[node.of[1]];
    const Behaviour c = node.of[2] == kNone ? one : known[node.of[2]];
    switch (node.kind) {
      case NodeKind::number:
        known.push_back(of_number(node));
        break;
      case NodeKind::variable:
        known.push_back(of_variable(node.variable));
        break;
      case NodeKind::negate:
        known.push_back(negated(a));
        break;
      case NodeKind::add:
        known.push_back(sum(a, b));
        break;
      case NodeKind::subtract:
        known.push_back(sum(a, negated(b)));
        break;
      case NodeKind::multiply:
        known.push_back(product(a, b, node.whole));
        break;
      case NodeKind::divide:
        known.push_back(quotient(a, b, false));
        break;
      case NodeKind::quotient:
        known.push_back(node.of[2] != kNone && b.zero ? c : quotient(a, b, true));
        break;
      case NodeKind::power:
        known.push_back(node.whole ? whole_power(a, formula.nodes[node.of[1]].mantissa)
                                   : power(a, b, formula.nodes[node.of[1]]));
        break;
      case NodeKind::less:
      case NodeKind::less_equal:
      case NodeKind::equal:
      case NodeKind::not_equal:
        known.push_back(comparison(node.kind, a, b));
        break;
      case NodeKind::select:
        known.push_back(selection(a, b, c));
        break;
      case NodeKind::min:
      case NodeKind::max:
        known.push_back(extreme(node.kind, a, b));
        break;
      case NodeKind::abs:
        known.push_back(absolute(a));
        break;
      case NodeKind::sqrt:
      case NodeKind::log:
      case NodeKind::exp:
        known.push_back(function(node.kind, a));
        break;
    }
  }
  return known.back();
}

}  // namespace pothole
