#include "engine/exact.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdlib>

namespace pothole::exact {
namespace {

using Wide = boost::multiprecision::uint256_t;
using U128 = unsigned __int128;

// Integers up to 2^53 convert exactly, so that the division is the only rounding.
constexpr std::int64_t kExactInteger = std::int64_t{1} << 53;

Wide widened(U128 value) {
  return (Wide(static_cast<std::uint64_t>(value >> 64)) << 64) | static_cast<std::uint64_t>(value);
}

// The quotient of positive integers by long division to 55 or more bits, the remainder kept as a
// sticky bit, then rounded by hand. Bits: numerator < 2^127, denominator < 2^128, shift <= 183.
double long_division(U128 numerator, U128 denominator) {
  Wide n = widened(numerator), d = widened(denominator);
  const int n_bits = static_cast<int>(msb(n)), d_bits = static_cast<int>(msb(d));
  const int shift = 55 - (n_bits - d_bits);
  if (shift > 0) n <<= shift;
  if (shift < 0) d <<= -shift;
  const Wide q = n / d;
  auto bits = static_cast<std::uint64_t>(q);  // 2^54 < q < 2^56
  if (q * d != n) bits |= 1;                  // sticky: lies below the last bit that is kept
  const int extra = bits >> 55 ? 3 : 2;
  const std::uint64_t half = std::uint64_t{1} << (extra - 1);
  const std::uint64_t tail = bits & (2 * half - 1);
  std::uint64_t mantissa = bits >> extra;
  if (tail > half || (tail == half && (mantissa & 1))) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), extra - shift);
}

// Differences of products of 127 bits and more.
using Signed = boost::multiprecision::cpp_int;

int sign_of(const Signed& value) { return value.sign(); }

struct Rational {
  Signed numerator, denominator;
};

Rational rational(const Score& score) {
  Rational r{Signed(score.numerator), Signed(score.size) * score.staleness};
  if (score.factor == 1) return r;
  int exponent = 0;
  r.numerator *= static_cast<std::int64_t>(std::ldexp(std::frexp(score.factor, &exponent), 53));
  exponent -= 53;
  (exponent < 0 ? r.denominator : r.numerator) <<= static_cast<unsigned>(std::abs(exponent));
  return r;
}

int compare_rationals(const Score& a, const Score& b) {
  if (a.infinite() || b.infinite()) return int{a.infinite()} - int{b.infinite()};
  const Rational x = rational(a), y = rational(b);
  return sign_of(x.numerator * y.denominator - y.numerator * x.denominator);
}

}  // namespace

double rounded_quotient(WideCost numerator, U128 denominator) {
  if (numerator == 0) return 0;
  const bool negative = numerator < 0;
  const U128 magnitude = negative ? -static_cast<U128>(numerator) : static_cast<U128>(numerator);
  double quotient;
  if (magnitude <= static_cast<U128>(kExactInteger) && denominator <= static_cast<U128>(kExactInteger)) {
    quotient = static_cast<double>(static_cast<std::int64_t>(magnitude)) /
               static_cast<double>(static_cast<std::int64_t>(denominator));
  } else {
    quotient = long_division(magnitude, denominator);
  }
  return negative ? -quotient : quotient;
}

double rounded(const Score& score) {
  if (score.infinite()) return kInfinity;
  const U128 denominator = static_cast<U128>(score.size) * static_cast<U128>(score.staleness);
  return rounded_quotient(score.numerator, denominator) * score.factor;
}

double naive(const Score& score) {
  if (score.infinite()) return kInfinity;
  const U128 denominator = static_cast<U128>(score.size) * static_cast<U128>(score.staleness);
  return to_double(score.numerator) / static_cast<double>(denominator) * score.factor;
}

double shown(const Score& score, Comparison comparison) {
  if (score.integral) return to_double(score.numerator);
  return comparison == Comparison::naive ? naive(score) : rounded(score);
}

int compare(const Score& a, const Score& b, Comparison comparison) {
  if (a.integral) return a.numerator < b.numerator ? -1 : a.numerator > b.numerator;
  if (comparison == Comparison::exact) return compare_rationals(a, b);
  const double x = comparison == Comparison::naive ? naive(a) : rounded(a);
  const double y = comparison == Comparison::naive ? naive(b) : rounded(b);
  return x < y ? -1 : x > y;
}

int compare_quotients(WideCost a, WideCost b, WideCost c, WideCost d) {
  return sign_of(Signed(a) * Signed(d) - Signed(c) * Signed(b));
}

}  // namespace pothole::exact
