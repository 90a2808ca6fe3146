// Scores and their exact order.
//
// The reference simulator compares quotients of exact integers rounded once to binary64 (semantics
// section 7): two different quotients may round to the same double and then tie, and a plain double
// division breaks such ties. Most comparisons are decided by a cheap approximation with a proven
// bound; only near ties are rounded exactly. Two other ways to compare tell whether a decision is owed to rounding.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "engine/units.h"

namespace pothole {

enum class Comparison : std::uint8_t {
  reference,  // quotients rounded once to binary64, which may tie although they differ
  exact,      // as the rational numbers they are
  naive,      // numerator and denominator made doubles, then divided: three roundings
};

constexpr std::string_view name_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::reference:
      return "reference";
    case Comparison::exact:
      return "exact";
    case Comparison::naive:
      return "naive";
  }
  return "";
}

// numerator / (size * staleness) * factor, each part exact. Factors that a policy does not use are 1.
struct Score {
  WideCost numerator = 0;
  std::int64_t size = 1;
  std::int64_t staleness = 1;
  double factor = 1;      // positive and finite; multiplied in binary64 after the quotient was rounded
  bool integral = false;  // compared as the integer `numerator`, however large

  bool infinite() const { return size <= 0 || staleness <= 0; }
  bool zero() const { return numerator == 0 && !infinite(); }
};

namespace exact {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// An approximation and the exact score differ by less than this fraction of either: numerator, size,
// staleness, their product, the quotient and the factor each round once, 6 * 2^-53 < 1e-15.
inline constexpr double kRelativeError = 1e-14;

inline double to_double(WideCost value) {
  const auto low = static_cast<std::int64_t>(value);
  if (low == value) [[likely]]
    return static_cast<double>(low);
  return static_cast<double>(value);
}

inline double approximate(const Score& score) {
  if (score.infinite()) return kInfinity;
  return to_double(score.numerator) / (static_cast<double>(score.size) * static_cast<double>(score.staleness)) *
         score.factor;
}

// numerator / denominator rounded once to the nearest double, ties to even. denominator > 0.
double rounded_quotient(WideCost numerator, unsigned __int128 denominator);

// The score as the reference sees it, or as doubles divide. Not for integral scores.
double rounded(const Score& score);
double naive(const Score& score);

// Of any score, integral and infinite ones included, to show it: as the comparison has it, rounded where that is exact.
double shown(const Score& score, Comparison comparison);

// Negative, zero or positive as a is below, ties with, or is above b. Both of one policy. Integral scores are
// compared as the integers they are in every mode; so is a factor taken for the double that it is.
int compare(const Score& a, const Score& b, Comparison comparison);

// a / b and c / d as rational numbers; b and d are positive.
int compare_quotients(WideCost a, WideCost b, WideCost c, WideCost d);

}  // namespace exact
}  // namespace pothole
