// Scores against exact arithmetic: a quotient is rounded correctly if it lies between the midpoints to
// the neighbouring doubles, and on a midpoint only if the mantissa is even. Checked in rationals of any
// length, on operands as large as scores can have and on quotients made to lie at and beside midpoints.
#include "engine/exact.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <iostream>
#include <vector>

#include "tests/support/any_program.h"

namespace pothole {
namespace {

using BigInt = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;
using U128 = unsigned __int128;

constexpr int kNumeratorBitsMax = 126, kDenominatorBitsMax = 124;

BigInt big(U128 value) {
  return (BigInt(static_cast<std::uint64_t>(value >> 64)) << 64) + static_cast<std::uint64_t>(value);
}

Rational quotient(WideCost numerator, U128 denominator) {
  const BigInt magnitude = big(static_cast<U128>(numerator < 0 ? -numerator : numerator));
  return Rational(numerator < 0 ? BigInt(-magnitude) : magnitude, big(denominator));
}

std::int64_t mantissa_of(double value, int& exponent) {
  const double fraction = std::frexp(value, &exponent);
  exponent -= 53;
  return static_cast<std::int64_t>(std::ldexp(fraction, 53));
}

Rational exactly(double value) {
  int exponent = 0;
  const BigInt mantissa = mantissa_of(value, exponent);
  return exponent >= 0 ? Rational(BigInt(mantissa << exponent)) : Rational(mantissa, BigInt(BigInt(1) << -exponent));
}

bool is_even(double value) {
  int exponent = 0;
  return mantissa_of(value, exponent) % 2 == 0;
}

testing::AssertionResult is_nearest(WideCost numerator, U128 denominator) {
  const double rounded = exact::rounded_quotient(numerator, denominator);
  const Rational q = quotient(numerator, denominator), r = exactly(rounded);
  const Rational below = (exactly(std::nextafter(rounded, -exact::kInfinity)) + r) / 2;
  const Rational above = (exactly(std::nextafter(rounded, exact::kInfinity)) + r) / 2;
  const bool tie = q == below || q == above;
  if (q == 0 ? r == 0 : q >= below && q <= above && (!tie || is_even(rounded))) return testing::AssertionSuccess();
  return testing::AssertionFailure() << q << " was rounded to " << rounded << (tie ? ", the odd side of a tie" : "");
}

// Of exactly so many bits; 0 of none.
U128 any_of_bits(SplitMix& random, int bits) {
  if (bits == 0) return 0;
  const U128 word = static_cast<U128>(random.next()) << 64 | random.next();
  const U128 top = static_cast<U128>(1) << (bits - 1);
  return top | (word & (top - 1));
}

TEST(Exact, QuotientsOfEveryMagnitudeAreRoundedCorrectly) {
  SplitMix random(1);
  for (int n = 0; n <= kNumeratorBitsMax; n += 2)
    for (int d = 1; d <= kDenominatorBitsMax; d += 3)
      for (int i = 0; i < 4; ++i) {
        const auto numerator = static_cast<WideCost>(any_of_bits(random, n));
        ASSERT_TRUE(is_nearest(random.chance(30) ? -numerator : numerator, any_of_bits(random, d)));
      }
}

// (2 M + 1) / 2^j with a mantissa M of 53 bits lies between two doubles; expanding the fraction leaves
// room for numerators that are one more or less.
TEST(Exact, QuotientsAtAndBesideMidpointsAreRoundedCorrectly) {
  SplitMix random(2);
  for (int i = 0; i < 5000; ++i) {
    const int expansion_bits = static_cast<int>(random.between(1, kNumeratorBitsMax - 54));
    const int halvings = static_cast<int>(random.between(0, kDenominatorBitsMax - expansion_bits));
    const U128 mantissa = any_of_bits(random, 53), expansion = any_of_bits(random, expansion_bits);
    const auto numerator = static_cast<WideCost>((2 * mantissa + 1) * expansion);
    const U128 denominator = expansion << halvings;
    const double lower = std::ldexp(static_cast<double>(static_cast<std::int64_t>(mantissa)), 1 - halvings);
    const double upper = std::nextafter(lower, exact::kInfinity);
    ASSERT_EQ(exact::rounded_quotient(numerator, denominator), mantissa % 2 == 0 ? lower : upper);
    for (const WideCost offset : {-1, 0, 1}) {
      ASSERT_TRUE(is_nearest(numerator + offset, denominator));
      ASSERT_TRUE(is_nearest(-numerator - offset, denominator));
    }
    if (expansion > 1) {
      ASSERT_EQ(exact::rounded_quotient(numerator - 1, denominator), lower);
      ASSERT_EQ(exact::rounded_quotient(numerator + 1, denominator), upper);
    }
  }
}

TEST(Exact, PowersOfTwoAndTheirNeighboursAreRoundedCorrectly) {
  for (int n = 0; n <= kNumeratorBitsMax; n += 3)
    for (int d = 0; d <= kDenominatorBitsMax; d += 4)
      for (const int offset : {-1, 0, 1})
        for (const int other : {-1, 0, 1}) {
          const WideCost numerator = (static_cast<WideCost>(1) << n) + offset;
          const U128 denominator = (static_cast<U128>(1) << d) + static_cast<U128>(other);
          if (denominator == 0) continue;
          ASSERT_TRUE(is_nearest(numerator, denominator)) << "2^" << n << ", 2^" << d;
          if (offset == 0 && other == 0) {
            ASSERT_EQ(exact::rounded_quotient(numerator, denominator), std::ldexp(1.0, n - d));
          }
        }
}

TEST(Exact, TheLargestOperandsAreRoundedCorrectly) {
  const WideCost largest = static_cast<WideCost>(1) << 126;
  const U128 denominator = static_cast<U128>(1) << 124;
  EXPECT_EQ(exact::rounded_quotient(largest, denominator), 4);
  EXPECT_EQ(exact::rounded_quotient(-largest, denominator), -4);
  EXPECT_EQ(exact::rounded_quotient(largest, 1), std::ldexp(1.0, 126));
  EXPECT_EQ(exact::rounded_quotient(1, denominator), std::ldexp(1.0, -124));
  for (const U128 below : {U128{1}, U128{2}, U128{3}, U128{5}})
    for (const WideCost less : {0, 1, 2, 3, 7}) {
      ASSERT_TRUE(is_nearest(largest - less, denominator - below));
      ASSERT_TRUE(is_nearest(largest - less, below));
      ASSERT_TRUE(is_nearest(less, denominator - below));
    }
}

TEST(Exact, EqualRatiosTieAlthoughADivisionOfDoublesBreaksThem) {
  SplitMix random(3);
  int broken = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t cost = random.between(1, 1'000'000), size = random.between(1, 1'000'000'000);
    const std::int64_t staleness = random.between(1, 1'000'000), scale = random.between(2, 1'000'000'000'000);
    const Score small{.numerator = cost, .size = size, .staleness = staleness};
    const Score large{.numerator = WideCost{cost} * scale, .size = size, .staleness = staleness * scale};
    ASSERT_EQ(exact::compare(small, large, Comparison::reference), 0);
    ASSERT_EQ(exact::rounded(small), exact::rounded(large));
    broken += exact::approximate(small) != exact::approximate(large);
  }
  EXPECT_GT(broken, 1000);
  std::cout << broken << " of 20000 ties would have been broken\n";
}

TEST(Exact, DifferentQuotientsThatRoundToOneDoubleTie) {
  constexpr std::int64_t kOdd = (std::int64_t{1} << 60) + 1;
  const Score third{.numerator = 1, .size = 3};
  const Score almost{.numerator = kOdd / 3, .size = kOdd};  // below a third by less than 2^-60
  ASSERT_LT(quotient(almost.numerator, kOdd), quotient(1, 3));
  EXPECT_EQ(exact::compare(third, almost, Comparison::reference), 0);
}

TEST(Exact, ComparisonsFollowTheExactOrderButForTies) {
  SplitMix random(4);
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t most = std::int64_t{1} << random.between(2, 40);
    const auto any = [&] {
      return Score{.numerator = random.between(-most, most),
                   .size = random.between(1, most),
                   .staleness = random.between(1, most)};
    };
    const Score a = any(), b = any();
    const int order = exact::compare(a, b, Comparison::reference);
    ASSERT_EQ(exact::compare(b, a, Comparison::reference), -order);
    const Rational x = quotient(a.numerator, static_cast<U128>(a.size) * static_cast<U128>(a.staleness));
    const Rational y = quotient(b.numerator, static_cast<U128>(b.size) * static_cast<U128>(b.staleness));
    ASSERT_TRUE(x < y ? order <= 0 : x > y ? order >= 0 : order == 0) << x << ", " << y;
  }
}

TEST(Exact, ApproximationsStayWithinTheirBound) {
  SplitMix random(5);
  const auto up_to_62_bits = [&] {
    return static_cast<std::int64_t>(any_of_bits(random, static_cast<int>(random.between(1, 62))));
  };
  for (int i = 0; i < 20000; ++i) {
    Score score{.numerator = static_cast<WideCost>(any_of_bits(random, static_cast<int>(random.between(1, 126)))),
                .size = up_to_62_bits(),
                .staleness = up_to_62_bits()};
    if (random.chance(50)) score.factor = 1 + 0.25 * static_cast<double>(random.between(0, 8000));
    if (random.chance(30)) score.numerator = -score.numerator;
    const double approximate = exact::approximate(score), rounded = exact::rounded(score);
    ASSERT_LT(std::abs(approximate - rounded),
              exact::kRelativeError * std::min(std::abs(approximate), std::abs(rounded)));
  }
}

TEST(Exact, TheFactorIsMultipliedAfterTheQuotientWasRounded) {
  const Score score{.numerator = 1, .size = 3, .staleness = 7, .factor = 1.75};
  EXPECT_EQ(exact::rounded(score), 1.0 / 21.0 * 1.75);
}

TEST(Exact, NegativeQuotientsMirrorPositiveOnes) {
  SplitMix random(6);
  for (int i = 0; i < 2000; ++i) {
    const auto n = static_cast<WideCost>(any_of_bits(random, static_cast<int>(random.between(1, 126))));
    const U128 d = any_of_bits(random, static_cast<int>(random.between(1, 124)));
    ASSERT_EQ(exact::rounded_quotient(-n, d), -exact::rounded_quotient(n, d));
  }
  EXPECT_LT(exact::compare({.numerator = -1, .size = 9}, {.numerator = 0, .size = 9}, Comparison::reference), 0);
  EXPECT_LT(exact::compare({.numerator = -1, .size = 2}, {.numerator = -1, .size = 3}, Comparison::reference), 0);
}

TEST(Exact, IntegralScoresDifferWhereDoublesDoNot) {
  for (const int bits : {53, 54, 62, 63, 64, 100, 125}) {
    const WideCost value = static_cast<WideCost>(1) << bits;
    const Score a{.numerator = value, .integral = true}, b{.numerator = value + 1, .integral = true};
    ASSERT_EQ(exact::approximate(a), exact::approximate(b));
    EXPECT_LT(exact::compare(a, b, Comparison::reference), 0);
    EXPECT_GT(exact::compare(b, a, Comparison::reference), 0);
    EXPECT_EQ(exact::compare(b, b, Comparison::reference), 0);
    EXPECT_GT(exact::compare({.numerator = -value, .integral = true}, {.numerator = -value - 1, .integral = true},
                             Comparison::reference),
              0);
  }
}

TEST(Exact, TheModesDifferWhereRoundingDecides) {
  // 1/3 and a fraction that rounds to the same double; doubles divide likewise.
  const Score third{.numerator = 1, .size = 3};
  const std::int64_t odd = (std::int64_t{1} << 61) + 1;  // a multiple of 3
  ASSERT_EQ(odd % 3, 0);
  const Score above{.numerator = odd / 3 + 1, .size = odd};
  EXPECT_EQ(exact::compare(third, above, Comparison::reference), 0);
  EXPECT_EQ(exact::compare(third, above, Comparison::naive), 0);
  EXPECT_LT(exact::compare(third, above, Comparison::exact), 0);
  EXPECT_GT(exact::compare(above, third, Comparison::exact), 0);
  EXPECT_EQ(exact::compare(above, above, Comparison::exact), 0);
}

TEST(Exact, NaiveDivisionBreaksTiesThatOneRoundingKeeps) {
  SplitMix random(11);
  int differ = 0;
  for (int i = 0; i < 20000; ++i) {
    // The same rational, written with larger numbers.
    const std::int64_t factor = random.between(3, 1 << 20);
    const std::int64_t n = static_cast<std::int64_t>(any_of_bits(random, 40)),
                       d = static_cast<std::int64_t>(any_of_bits(random, 40));
    const Score a{.numerator = n, .size = d};
    const Score b{.numerator = WideCost{n} * factor, .size = d, .staleness = factor};
    ASSERT_EQ(exact::compare(a, b, Comparison::reference), 0);
    ASSERT_EQ(exact::compare(a, b, Comparison::exact), 0);
    differ += exact::compare(a, b, Comparison::naive) != 0;
  }
  EXPECT_GT(differ, 100);
}

TEST(Exact, RationalComparisonTakesAFactorForTheDoubleItIs) {
  const Score a{.numerator = 1, .size = 3, .factor = 1.5}, b{.numerator = 1, .size = 2};
  EXPECT_EQ(exact::compare(a, b, Comparison::exact), 0);
  const Score c{.numerator = 1, .size = 3, .factor = std::nextafter(1.5, 2)};
  EXPECT_GT(exact::compare(c, b, Comparison::exact), 0);
  const Score none{.numerator = 0, .size = 3, .factor = 1.25}, infinite{.numerator = 0, .size = 0};
  EXPECT_LT(exact::compare(none, a, Comparison::exact), 0);
  EXPECT_LT(exact::compare(a, infinite, Comparison::exact), 0);
  EXPECT_EQ(exact::compare(infinite, infinite, Comparison::exact), 0);
}

TEST(Exact, EveryModeKeepsTheExactOrderButForWhatItRounds) {
  SplitMix random(12);
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t most = std::int64_t{1} << random.between(2, 62);
    const auto any = [&] {
      return Score{.numerator = random.between(-most, most),
                   .size = random.between(1, most),
                   .staleness = random.between(1, most)};
    };
    const Score a = any(), b = any();
    const Rational x = quotient(a.numerator, static_cast<U128>(a.size) * static_cast<U128>(a.staleness));
    const Rational y = quotient(b.numerator, static_cast<U128>(b.size) * static_cast<U128>(b.staleness));
    ASSERT_EQ(exact::compare(a, b, Comparison::exact), x < y ? -1 : x > y ? 1 : 0);
    ASSERT_LE(std::abs(exact::naive(a) - exact::rounded(a)), exact::kRelativeError * std::abs(exact::rounded(a)));
  }
}

TEST(Exact, ADenominatorThatIsNotPositiveGivesInfinity) {
  const Score finite{.numerator = static_cast<WideCost>(1) << 126};
  for (const Score& score : {Score{.numerator = 5, .size = 0}, Score{.numerator = 5, .staleness = 0},
                             Score{.numerator = 0, .size = 0}, Score{.numerator = -5, .staleness = -3}}) {
    EXPECT_TRUE(score.infinite());
    EXPECT_FALSE(score.zero());
    EXPECT_EQ(exact::approximate(score), exact::kInfinity);
    EXPECT_EQ(exact::rounded(score), exact::kInfinity);
    EXPECT_GT(exact::compare(score, finite, Comparison::reference), 0);
    EXPECT_LT(exact::compare(finite, score, Comparison::reference), 0);
    EXPECT_EQ(exact::compare(score, {.numerator = 1, .size = 0}, Comparison::reference), 0);
  }
  EXPECT_TRUE((Score{.numerator = 0, .size = 4, .staleness = 2}).zero());
  EXPECT_EQ(exact::rounded({.numerator = 0, .size = 4}), 0);
}

}  // namespace
}  // namespace pothole
