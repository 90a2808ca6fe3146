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

struct Fraction {
  mpz_class numerator, denominator = 1;  // not negative
};

Fraction fraction_of(const Formula& formula, const Node& quotient, const ScoreInputs& inputs) {
  Unlimited arithmetic;
  Fraction fraction;
  fraction.numerator = whole_value(arithmetic, formula, quotient.of[0], inputs);
  if (quotient.of[1] != kNone) fraction.denominator = whole_value(arithmetic, formula, quotient.of[1], inputs);
  if (fraction.denominator < 0) {
    fraction.numerator = -fraction.numerator;
    fraction.denominator = -fraction.denominator;
  }
  return fraction;
}

double nearest(const mpz_class& value) {
  const Real exact(value);
  return rounded_once([&](mpfr_ptr result) { return mpfr_set(result, exact.get(), MPFR_RNDN); });
}

}  // namespace

Rounded rounded(const Formula& formula, const Node& quotient, const ScoreInputs& inputs) {
  const Fraction fraction = fraction_of(formula, quotient, inputs);
  if (fraction.denominator == 0) return {exact::kInfinity, false};
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
  if (x.denominator == 0 || y.denominator == 0) return int{x.denominator == 0} - int{y.denominator == 0};
  return cmp(mpz_class(x.numerator * y.denominator), mpz_class(y.numerator * x.denominator));
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
