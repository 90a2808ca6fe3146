#include "engine/scores/wide.h"

#include <gmpxx.h>
#include <mpfr.h>

#include "engine/scores/whole.h"

namespace pothole::wide {
namespace {

class Unlimited {
 public:
  using Number = mpz_class;
  static Number number(WideCost value) {
    const bool negative = value < 0;
    const auto magnitude = negative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
    Number number(static_cast<std::uint64_t>(magnitude >> 64));
    number <<= 64;
    number += static_cast<std::uint64_t>(magnitude);
    return negative ? Number(-number) : number;
  }
  static Number shifted(std::int64_t mantissa, int exponent) {
    return Number(mantissa) << static_cast<unsigned>(exponent);
  }
  static Number add(const Number& a, const Number& b) { return a + b; }
  static Number subtract(const Number& a, const Number& b) { return a - b; }
  static Number multiply(const Number& a, const Number& b) { return a * b; }
};

class Real {
 public:
  explicit Real(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
  explicit Real(double value) : Real(mpfr_prec_t{53}) { mpfr_set_d(value_, value, MPFR_RNDN); }
  explicit Real(const mpz_class& value) : Real(static_cast<mpfr_prec_t>(mpz_sizeinbase(value.get_mpz_t(), 2)) + 1) {
    mpfr_set_z(value_, value.get_mpz_t(), MPFR_RNDN);
  }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

// What `compute` stores with 53 bits and returns, MPFR's sign of its error, as a double that was rounded once:
// mpfr_subnormalize() undoes the first rounding where a subnormal has fewer bits.
template <class Compute>
double rounded_once(const Compute& compute) {
  Real result(mpfr_prec_t{53});
  int error = compute(result.get());
  const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  mpfr_set_emin(-1073);
  mpfr_set_emax(1024);
  error = mpfr_check_range(result.get(), error, MPFR_RNDN);
  mpfr_subnormalize(result.get(), error, MPFR_RNDN);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  return mpfr_get_d(result.get(), MPFR_RNDN);
}

mpz_class whole(const Formula& formula, NodeId id, const ScoreInputs& inputs) {
  Unlimited arithmetic;
  return whole_value(arithmetic, formula, id, inputs);
}

// The denominator is not negative. If it is 0, this is infinity with the numerator's sign, or not a number where that
// is 0.
struct Fraction {
  mpz_class numerator, denominator = 1;
  bool special() const { return denominator == 0; }
};

Fraction divided(const mpz_class& a, const mpz_class& b) {
  if (b == 0) return {1, 0};
  return b < 0 ? Fraction{-a, -b} : Fraction{a, b};
}

Fraction sum(const Fraction& a, const Fraction& b) {
  if (a.special() && b.special()) return sgn(a.numerator) == sgn(b.numerator) ? a : Fraction{0, 0};
  if (a.special() || b.special()) return a.special() ? a : b;
  return {a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
}

Fraction product(const Fraction& a, const Fraction& b) {
  return {a.numerator * b.numerator, a.denominator * b.denominator};
}

Fraction quotient(const Fraction& a, const Fraction& b) {
  if (b.special()) return a.special() || b.numerator == 0 ? Fraction{0, 0} : Fraction{0, 1};
  if (b.numerator != 0) return product(a, divided(b.denominator, b.numerator));
  return a.special() && a.numerator == 0 ? a : Fraction{1, 0};
}

Fraction power(const Fraction& base, std::int64_t n) {
  if (n == 0) return {1, 1};
  Fraction result;
  mpz_pow_ui(result.numerator.get_mpz_t(), base.numerator.get_mpz_t(), static_cast<unsigned long>(n));
  mpz_pow_ui(result.denominator.get_mpz_t(), base.denominator.get_mpz_t(), static_cast<unsigned long>(n));
  return result;
}

// Operation by operation.
Fraction stepwise(const Formula& formula, NodeId id, const ScoreInputs& inputs) {
  const Node& node = formula.nodes[id];
  if (node.whole) return {whole(formula, id, inputs), 1};
  const auto operand = [&](std::size_t i) { return stepwise(formula, node.of[i], inputs); };
  const auto negated = [](const Fraction& a) { return Fraction{-a.numerator, a.denominator}; };
  switch (node.kind) {
    case NodeKind::negate:
      return negated(operand(0));
    case NodeKind::abs: {
      const Fraction a = operand(0);
      return {abs(a.numerator), a.denominator};
    }
    case NodeKind::add:
      return sum(operand(0), operand(1));
    case NodeKind::subtract:
      return sum(operand(0), negated(operand(1)));
    case NodeKind::multiply:
      return product(operand(0), operand(1));
    case NodeKind::divide:
      return quotient(operand(0), operand(1));
    case NodeKind::power:
      return power(operand(0), formula.nodes[node.of[1]].mantissa);
    case NodeKind::select:
      return operand(whole(formula, node.of[0], inputs) != 0 ? 1 : 2);
    default:  // a quotient
      return divided(whole(formula, node.of[0], inputs), whole(formula, node.of[1], inputs));
  }
}

Fraction fraction_of(const Formula& formula, const Node& quotient, const ScoreInputs& inputs) {
  const mpz_class denominator = quotient.of[1] == kNone ? mpz_class(1) : whole(formula, quotient.of[1], inputs);
  if (denominator == 0 && quotient.of[2] != kNone) return stepwise(formula, quotient.of[2], inputs);
  return divided(whole(formula, quotient.of[0], inputs), denominator);
}

double nearest(const mpz_class& value) {
  const Real exact(value);
  return rounded_once([&](mpfr_ptr result) { return mpfr_set(result, exact.get(), MPFR_RNDN); });
}

}  // namespace

Rounded rounded(const Formula& formula, const Node& quotient, const ScoreInputs& inputs) {
  const Fraction fraction = fraction_of(formula, quotient, inputs);
  if (fraction.special())
    return {fraction.numerator == 0 ? exact::kNotANumber : sgn(fraction.numerator) * exact::kInfinity, false};
  const bool zero = fraction.numerator == 0;
  if (formula.comparison == Comparison::naive && !formula.whole) {
    const double value = nearest(fraction.numerator) / nearest(fraction.denominator);
    return {value, value == 0};
  }
  const Real numerator(fraction.numerator), denominator(fraction.denominator);
  const double value =
      rounded_once([&](mpfr_ptr result) { return mpfr_div(result, numerator.get(), denominator.get(), MPFR_RNDN); });
  return {value, formula.compares_exactly() ? zero : value == 0};
}

int compare(const Formula& formula, const ScoreInputs& a, const ScoreInputs& b) {
  const Fraction x = fraction_of(formula, formula.root(), a), y = fraction_of(formula, formula.root(), b);
  const auto infinite = [](const Fraction& f) { return f.special() ? sgn(f.numerator) : 0; };
  if (x.special() || y.special()) return infinite(x) - infinite(y);
  return cmp(mpz_class(x.numerator * y.denominator), mpz_class(y.numerator * x.denominator));
}

std::int64_t bits_of(const Formula& formula, NodeId constant) {
  return static_cast<std::int64_t>(mpz_sizeinbase(whole(formula, constant, {}).get_mpz_t(), 2));
}

std::int64_t clamped(const Formula& formula, NodeId constant, std::int64_t most) {
  const mpz_class value = whole(formula, constant, {});
  if (abs(value) <= most) return value.get_si();
  const bool odd = mpz_odd_p(value.get_mpz_t()) != 0;
  return sgn(value) * (odd == (most % 2 == 1) ? most : most + 1);
}

double log(double x) {
  const Real argument(x);
  return rounded_once([&](mpfr_ptr result) { return mpfr_log(result, argument.get(), MPFR_RNDN); });
}

double exp(double x) {
  const Real argument(x);
  return rounded_once([&](mpfr_ptr result) { return mpfr_exp(result, argument.get(), MPFR_RNDN); });
}

double power(double x, double y) {
  const Real base(x), exponent(y);
  return rounded_once([&](mpfr_ptr result) { return mpfr_pow(result, base.get(), exponent.get(), MPFR_RNDN); });
}

}  // namespace pothole::wide
