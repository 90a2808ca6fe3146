// Values of score expressions, exact and rounded, and what is said of them without evaluating them.
#include "engine/scores/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "engine/scores/wide.h"
#include "tests/model/slow_expression.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Inputs = std::map<std::string, std::int64_t>;

Formula formula(const std::string& text, Comparison comparison = Comparison::reference) {
  ExpressionError error;
  const auto expression = parse_expression(text, error);
  if (!expression) throw std::logic_error(pointed_out(text, error));
  const auto made = formula_of(*expression, comparison, error);
  if (!made) throw std::logic_error(pointed_out(text, error));
  return *made;
}

// Where a whole number may take too many bits.
std::size_t refused_at(const std::string& text) {
  ExpressionError error;
  const auto expression = parse_expression(text, error);
  for (const Comparison comparison : {Comparison::reference, Comparison::exact, Comparison::naive})
    EXPECT_FALSE(formula_of(*expression, comparison, error)) << text;
  return error.at;
}

ScoreInputs inputs_of(const Inputs& values) {
  ScoreInputs inputs{};
  for (std::size_t i = 0; i < kVariables; ++i)
    if (const auto found = values.find(std::string(score_variables()[i].name)); found != values.end())
      inputs[i] = found->second;
  return inputs;
}

double value(const std::string& text, const Inputs& values = {}) {
  const FormulaScore score = score_of(formula(text), inputs_of(values));
  if (score.denominator == 0) return score.approximate;
  return exact::rounded_quotient(score.numerator, static_cast<unsigned __int128>(score.denominator));
}

TEST(Formula, ValuesWorkedByHand) {
  EXPECT_EQ(value("(c + e) / (m * s)", {{"c", 3}, {"e", 4}, {"m", 2}, {"s", 2}}), 1.75);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("-2 ^ 2"), -4);
  EXPECT_EQ(value("2 ^ -2"), 0.25);
  EXPECT_EQ(value("c / 2 + c / 3", {{"c", 5}}), 25.0 / 6);
  EXPECT_EQ(value("1 < 2 ? min(7, 3, 5) : 0"), 3);
  EXPECT_EQ(value("max(7.5, 3) - abs(2 - 4)"), 5.5);
  EXPECT_EQ(value("sqrt(16) + log(1) + exp(0)"), 5);
  EXPECT_EQ(value("(3 > 2) + (3 >= 3) + (3 == 2) + (3 != 2) + (2 <= 1)"), 3);
  EXPECT_EQ(value("9 ^ 0.5"), 3);
  EXPECT_EQ(value("c ^ 0", {{"c", 0}}), 1);
}

TEST(Formula, WholeNumbersStayWholeOrAreRefused) {
  // 2 ^ 8000 and its neighbour are told apart, and so are literals that no double can tell apart.
  EXPECT_EQ(value("(2 ^ 8000 + 1) - 2 ^ 8000"), 1);
  EXPECT_EQ(value("m ^ 65 - (m ^ 65 - 3)", {{"m", 7}}), 3);
  EXPECT_EQ(value("123456789012345678901234567890 - 123456789012345678901234567889"), 1);
  EXPECT_EQ(refused_at("9^9^9-9^9^9"), 1u);
  EXPECT_EQ(refused_at("1 + m ^ 1000000000"), 6u);
  refused_at("c * " + std::string(1990, '9') + " ^ 2");
  refused_at("1 / (m ^ 600)");
}

TEST(Formula, DivisionByZeroHasOneRule) {
  const Inputs none = {{"c", 0}, {"m", 0}, {"s", 3}};
  // In fractions and in doubles alike.
  for (const char* text : {"s / m", "c / m", "1.0 * s / m", "1.0 * c / m", "(0 - s) / m", "(0 - 1.0 * s) / m"})
    EXPECT_EQ(value(text, none), kInfinity) << text;
  for (const char* text : {"1 / m - 1 / c", "1.0 / m - 1.0 / c", "c * (1.0 / m)"})
    EXPECT_TRUE(std::isnan(value(text, none))) << text;
}

TEST(Formula, WhatIsComputedFromNoNumberIsNone) {
  const Inputs none = {{"c", 0}, {"m", 0}, {"s", 3}};
  for (const char* text : {"log(0 - s) ? 1 : 2", "log(0 - s) < 1", "log(0 - s) == log(0 - s)", "min(1, log(0 - s))",
                           "(1 / m - 1 / c) ? s : c", "max(log(0 - s), 1)"})
    EXPECT_TRUE(std::isnan(value(text, none))) << text;
  // Of ?: only the side that is taken counts.
  EXPECT_EQ(value("s > 1 ? 2 : log(0 - s)", none), 2);
}

TEST(Formula, AQuotientIsRoundedOnceHoweverLarge) {
  const std::int64_t big = (std::int64_t{1} << 53) + 1;  // no double
  EXPECT_EQ(value("c / 3", {{"c", big}}), rounded_quotient(big, 3));
  // Wider than a machine word.
  EXPECT_EQ(value("c ^ 5 / m ^ 4", {{"c", big}, {"m", big - 2}}),
            rounded_quotient(pow(BigInt(big), 5), pow(BigInt(big - 2), 4)));
  EXPECT_EQ(value("(c + 1) ^ 40 / c ^ 40", {{"c", 1 << 20}}),
            rounded_quotient(pow(BigInt((1 << 20) + 1), 40), pow(BigInt(1 << 20), 40)));
  EXPECT_EQ(value("1 / 2 ^ 20 / c ^ 17", {{"c", std::int64_t{1} << 62}}), std::ldexp(1.0, -20 - 62 * 17));  // subnormal
  EXPECT_EQ(value("1 / c ^ 18", {{"c", std::int64_t{1} << 62}}), 0);
  EXPECT_EQ(value("c ^ 18", {{"c", std::int64_t{1} << 62}}), kInfinity);
}

TEST(Formula, DivisionByZeroIsInfinityInBothArithmetics) {
  EXPECT_EQ(value("c / s"), kInfinity);
  EXPECT_EQ(value("(0 - 1) / s"), kInfinity);
  EXPECT_EQ(value("c / (s * sqrt(2))"), kInfinity);
  EXPECT_EQ(value("1 / (c / s)", {{"c", 1}}), 0);
  EXPECT_TRUE(std::isnan(value("sqrt(0 - 1)")));
  EXPECT_TRUE(std::isnan(value("log(1.0 / 0) - 1.0 / 0")));
  EXPECT_TRUE(std::isnan(value("0.0 * (c / s)")));
}

TEST(Formula, ZeroIsExactlyZero) {
  const auto zero = [](const char* text, Comparison comparison, const Inputs& values) {
    return score_of(formula(text, comparison), inputs_of(values)).zero;
  };
  const Inputs tiny = {{"c", 1}, {"m", std::int64_t{1} << 62}};
  EXPECT_TRUE(zero("c / m ^ 18", Comparison::reference, tiny));  // rounds to 0
  EXPECT_FALSE(zero("c / m ^ 18", Comparison::exact, tiny));
  for (const Comparison comparison : {Comparison::reference, Comparison::exact, Comparison::naive}) {
    EXPECT_TRUE(zero("c / m", comparison, {{"m", 3}}));
    EXPECT_FALSE(zero("c / m", comparison, {}));  // 0 / 0 is infinity
    EXPECT_FALSE(zero("c / m", comparison, tiny));
  }
}

TEST(Formula, FractionsGoAsFarAsTheyCan) {
  EXPECT_TRUE(formula("(c + e) / (m * s)").pure);
  EXPECT_TRUE(formula("c / m + e / s - 1 / 3").pure);
  EXPECT_TRUE(formula("(c > e ? c / m : e) * max(s, 1) ^ -3").pure);
  EXPECT_TRUE(formula("abs(c - e) / m").pure);
  EXPECT_FALSE(formula("c * 1.0 / m").pure);
  EXPECT_TRUE(formula("c * 1.5 / m", Comparison::exact).pure);
  EXPECT_FALSE(formula("max(c / m, 1)").pure);
  EXPECT_TRUE(formula("(c / m) ^ 65").pure);
  EXPECT_TRUE(formula("c + n * 2").whole);
  EXPECT_FALSE(formula("(c + n) / 1").whole);
}

// Each expression as it is, hence exact, and with the operands of its divisions made doubles.
void expect_in_both(const std::string& text, const Inputs& values, double expected) {
  std::string real;
  for (char c : text) {
    const bool operand = std::isalnum(static_cast<unsigned char>(c)) != 0;
    real += operand ? std::string("(1.0 * ") + c + ")" : std::string(1, c);
  }
  for (const Comparison comparison : {Comparison::reference, Comparison::exact, Comparison::naive}) {
    for (const std::string& form : {text, real}) {
      const FormulaScore score = score_of(formula(form, comparison), inputs_of(values));
      EXPECT_EQ(std::isnan(score.approximate), std::isnan(expected)) << form;
      if (!std::isnan(expected)) {
        EXPECT_EQ(score.approximate, expected) << form;
      }
      EXPECT_EQ(score.zero, expected == 0) << form;
    }
  }
}

TEST(Formula, DivisionByZeroGoesOnAlikeInBothArithmetics) {
  const double nan = std::nan("");
  const struct {
    const char* text;
    double expected;
  } kCases[] = {
      {"c / s", kInfinity},
      {"-c / s", kInfinity},
      {"s / s", kInfinity},
      {"-(c / s)", -kInfinity},
      {"c / -s", kInfinity},
      {"0 - c / s", -kInfinity},
      {"c / s - c / s", nan},
      {"c / s + c / s", kInfinity},
      {"c / s - c", kInfinity},
      {"c - c / s", -kInfinity},
      {"c / s * s", nan},
      {"c / s * -c", -kInfinity},
      {"c / s * c", kInfinity},
      {"c / (c / s)", 0},
      {"c / s / (c / s)", nan},
      {"c / (s / s)", 0},
      {"c + c / (s / s)", 3},
      {"c / (c / s - c / s)", nan},
      {"abs(-(c / s))", kInfinity},
      {"(c / s > c) / c", 1.0 / 3},
      {"(0 - c / s)^2", kInfinity},
      {"(0 - c / s)^3", -kInfinity},
      {"s^-1", kInfinity},
      {"(s / c)^-1", kInfinity},
      {"(c / s)^-1", 0},
      {"(-s)^-3", kInfinity},
      {"c / s / s", kInfinity},
      {"-c / s / s", kInfinity},
      {"c / s / -c", -kInfinity},
      {"(c / s)^0", 1},
      {"(c / s - c / s)^0", 1},
      {"(s ? c : c / s) - c / s", nan},
  };
  for (const auto& test : kCases) {
    if (std::string(test.text).find("abs") == std::string::npos) expect_in_both(test.text, {{"c", 3}}, test.expected);
    EXPECT_EQ(score_of(formula(test.text), inputs_of({{"c", 3}})).zero, test.expected == 0) << test.text;
  }
  EXPECT_EQ(value("abs(-(c / s))", {{"c", 3}}), kInfinity);
  EXPECT_TRUE(std::isnan(value("sqrt(0 - 1)")));
  EXPECT_TRUE(std::isnan(value("log(1.0 / 0) - 1.0 / 0")));
}

TEST(Formula, InfinitiesAreInOrderWhereFractionsCompareExactly) {
  const Formula f = formula("c / s - e / m", Comparison::exact);
  const auto order = [&](const Inputs& a, const Inputs& b) {
    const ScoreInputs x = inputs_of(a), y = inputs_of(b);
    return compare(f, score_of(f, x), score_of(f, y)).value_or(0) != 0 ? 2 : compare_fractions(f, x, y);
  };
  const Inputs above = {{"m", 1}}, below = {{"s", 1}}, number = {{"m", 1}, {"s", 1}};
  EXPECT_GT(order(above, number), 0);
  EXPECT_LT(order(number, above), 0);
  EXPECT_LT(order(below, number), 0);
  EXPECT_GT(order(number, below), 0);
  EXPECT_GT(order(above, below), 0);
  EXPECT_EQ(order(above, above), 0);
  EXPECT_EQ(order(below, below), 0);
}

TEST(Formula, WhatIsNotANumberStaysSo) {
  for (const std::string x : {"log(0 - 1)", "(1 / s - 1 / s)", "(1.0 / s - 1.0 / s)", "sqrt(-m)"}) {
    for (const std::string& text :
         {std::string(x), x + " ? 1 : 2", x + " < 1", "1 <= " + x, x + " == " + x, x + " != 1", x + " > 1 ? 2 : 2",
          "min(" + x + ", 1)", "max(1, " + x + ")", "abs(" + x + ")", "-" + x, "0 * " + x, "1 / " + x, x + " / s",
          "1.0 ^ " + x, "sqrt(" + x + ")", "exp(" + x + ")", "log(" + x + ")", "1 ? " + x + " : 2"})
      EXPECT_TRUE(std::isnan(value(text, {{"m", 1}}))) << text;
    EXPECT_EQ(value("0 ? " + x + " : 2", {{"m", 1}}), 2);
    EXPECT_EQ(value(x + " ^ 0", {{"m", 1}}), 1);
  }
}

std::optional<ExpressionError> refusal(const std::string& text, Comparison comparison) {
  ExpressionError error;
  const auto expression = parse_expression(text, error);
  if (!expression) throw std::logic_error(pointed_out(text, error));
  if (formula_of(*expression, comparison, error)) return std::nullopt;
  return error;
}

// Up to the limit exact, beyond it refused where it is passed, whatever the comparison: never a double instead.
TEST(Formula, WholeNumbersAreExactOrRefused) {
  const std::string nines(30, '9');
  const struct {
    std::string text;
    std::optional<std::size_t> refused_at;
  } kCases[] = {
      {"m ^ 130", {}},  // 63 bits each
      {"m ^ 131", 2},
      {"m^1000000000", 1},
      {"c + m ^ 65 * m ^ 66", 11},
      {"e ^ 64", {}},  // a sum of costs has 127 bits
      {"e ^ 65", 2},
      {"1 / m ^ -131", 6},
      {"(c / m) ^ 131", 8},
      {"9^9^9-9^9^9", 1},
      {"9 ^ 9", {}},
      {"2 ^ 8191", {}},  // 8192 bits exactly
      {"2 ^ 8192", 2},
      {"2 ^ 8191 + 2 ^ 8191", 9},
      {"2 ^ 8191 - 1 + 2 ^ 8191", {}},
      {"3 ^ 5000 / 3 ^ 4999", {}},
      {"1 ^ 1000000000 + (-1) ^ " + nines + " + 0 ^ " + nines, {}},
      {"(c < m) ^ " + nines, {}},
      {"2 ^ " + nines, 2},
      {"2 ^ -" + nines, 2},
      {"m ^ 1000000000.0", {}},  // doubles
      {"(1.0 * m) ^ 1000000000", {}},
      {"1.5 * m ^ 131", 8},
      {"m ^ (9 ^ 9 / 1)", {}},
  };
  for (const auto& test : kCases) {
    for (const Comparison comparison : {Comparison::reference, Comparison::exact, Comparison::naive}) {
      const auto error = refusal(test.text, comparison);
      ASSERT_EQ(error.has_value(), test.refused_at.has_value()) << test.text << " under " << name_of(comparison);
      if (!error) continue;
      EXPECT_EQ(error->at, *test.refused_at) << test.text;
      EXPECT_NE(error->what.find("8192 bits"), std::string::npos);
      EXPECT_NE(error->fix.find("1.0 * x"), std::string::npos);
    }
  }
  std::string product = "c";
  while (product.size() < 300) product += "*c";
  EXPECT_FALSE(refusal(product.substr(0, 4 * 65 - 1), Comparison::reference));  // 130 of them
  EXPECT_EQ(refusal(product, Comparison::reference)->at, 4 * 65 - 1);
  EXPECT_EQ(value("(-1) ^ " + nines + " + 2 * (-1) ^ 1" + std::string(29, '0')), 1);
}

TEST(Formula, LiteralsOfAnyLengthAreTheNumbersTheyAre) {
  SplitMix random(3);
  for (int i = 0; i < 300; ++i) {
    std::string digits = "1";
    for (std::int64_t n = random.between(1, 400); n > 0; --n) digits += static_cast<char>('0' + random.between(0, 9));
    const BigInt number(digits);
    const BigInt near = number / 1'000'003;
    EXPECT_EQ(value(digits + " - " + near.str() + " * 1000003"), static_cast<double>(number % 1'000'003));
    EXPECT_EQ(value(digits + " / " + near.str()), rounded_quotient(number, near));
    EXPECT_TRUE(formula(digits).whole);
  }
  EXPECT_EQ(value("9223372036854775808 - 9223372036854775807"), 1);
  EXPECT_EQ(value("00000000000000000000000000000000007"), 7);
  const std::string longest(kExpressionLengthMax - 2, '9');
  EXPECT_EQ(value(longest + "/3"), kInfinity);
}

TEST(Formula, FunctionsAreCorrectlyRounded) {
  // Each within half a unit in the last place of the value in 300 bits and more.
  EXPECT_EQ(wide::log(2), 0x1.62e42fefa39efp-1);
  EXPECT_EQ(wide::log(10), 0x1.26bb1bbb55516p+1);
  EXPECT_EQ(wide::exp(1), 0x1.5bf0a8b145769p+1);
  EXPECT_EQ(wide::power(2, 0.5), 0x1.6a09e667f3bcdp+0);
  EXPECT_EQ(wide::power(10, -1), 0.1);
  EXPECT_EQ(wide::power(10, 22), 1e22);
  EXPECT_EQ(wide::exp(-745), 0x1p-1074);  // subnormal
  EXPECT_EQ(wide::exp(-746), 0);
  EXPECT_EQ(wide::exp(710), kInfinity);
  EXPECT_EQ(wide::power(2, -1060), std::ldexp(1, -1060));
  EXPECT_EQ(wide::log(0), -kInfinity);
  EXPECT_EQ(wide::power(0, -1), kInfinity);
  EXPECT_EQ(wide::power(-8, 3), -512);
  EXPECT_TRUE(std::isnan(wide::log(-1)));
  EXPECT_TRUE(std::isnan(wide::power(-8, 0.5)));
  EXPECT_EQ(wide::log(kInfinity), kInfinity);
}

// Any expression of a few levels.
std::string any_expression(SplitMix& random, int levels) {
  constexpr const char* kLeaves[] = {"c", "e", "ef", "n", "q", "m", "s", "a", "k", "need", "0", "1", "3", "0.5", "2.0"};
  if (levels == 0 || random.chance(15)) return kLeaves[static_cast<std::size_t>(random.between(0, 14))];
  const auto operand = [&] { return any_expression(random, levels - 1); };
  constexpr const char* kOperators[] = {" + ", " - ", " * ", " / ", " < ", " <= ", " == ", " != ", " > ", " >= "};
  constexpr const char* kExponents[] = {"0", "1", "2", "3", "-1", "-2"};
  switch (random.between(0, 9)) {
    case 0:
      return "(" + operand() + " ? " + operand() + " : " + operand() + ")";
    case 1:
      return std::string(random.chance(50) ? "min(" : "max(") + operand() + ", " + operand() + ")";
    case 2:
      return std::string(random.chance(50) ? "abs(" : "-(") + operand() + ")";
    case 3:
      return "(" + operand() + ")^" + kExponents[static_cast<std::size_t>(random.between(0, 5))];
    case 4:
      return "sqrt(" + operand() + ")";
    case 5:
      return random.chance(50) ? "log(" + operand() + " + 1)" : "exp(" + operand() + " / 1000)";
    default:
      return "(" + operand() + kOperators[static_cast<std::size_t>(random.between(0, 9))] + operand() + ")";
  }
}

Inputs any_inputs(SplitMix& random) {
  Inputs inputs;
  const std::int64_t most = std::int64_t{1} << random.between(1, 50);
  for (const VariableInfo& v : score_variables())
    inputs[std::string(v.name)] = random.chance(15) ? 0 : random.between(v.name == "q" ? -most : 0, most);
  return inputs;
}

SlowScore slow_score(const std::string& text, const Inputs& inputs, Comparison comparison) {
  return SlowExpression(text).score([&](const std::string& name) { return BigInt(inputs.at(name)); }, comparison);
}

TEST(Formula, AgreesWithTheSlowModelOnAnyExpression) {
  SplitMix random(21);
  int compared = 0, undefined = 0, exact = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = any_expression(random, static_cast<int>(random.between(1, 4)));
    const auto comparison = static_cast<Comparison>(random.between(0, 2));
    const Formula f = formula(text, comparison);
    const Inputs a = any_inputs(random), b = random.chance(20) ? a : any_inputs(random);
    const SlowScore x = slow_score(text, a, comparison), y = slow_score(text, b, comparison);
    const FormulaScore p = score_of(f, inputs_of(a)), q = score_of(f, inputs_of(b));
    ASSERT_EQ(std::isnan(p.approximate), is_not_a_number(x)) << text;
    ASSERT_EQ(p.zero, is_zero(x)) << text;
    if (is_not_a_number(x) || is_not_a_number(y)) {
      ++undefined;
      continue;
    }
    int order = 0;
    if (const auto known = compare(f, p, q))
      order = *known;
    else
      order = compare_fractions(f, inputs_of(a), inputs_of(b));
    ASSERT_EQ(order < 0, order_of(x, y) < 0) << text << " under " << name_of(comparison);
    ASSERT_EQ(order > 0, order_of(x, y) > 0) << text << " under " << name_of(comparison);
    ++compared;
    exact += f.pure;
  }
  EXPECT_GT(compared, 10'000);
  EXPECT_GT(undefined, 100);
  EXPECT_GT(exact, 2'000);
}

// What the lazy scan rests on: whatever is said not to happen does not.
TEST(Formula, BehaviourHoldsOnAnyExpression) {
  const std::map<InputGroup, std::vector<std::string>> groups = {{InputGroup::neighbourhood, {"e", "ef", "er", "n"}},
                                                                 {InputGroup::staleness, {"s"}},
                                                                 {InputGroup::growing, {"c", "a", "d", "x"}},
                                                                 {InputGroup::passing, {"clock", "resident", "need"}}};
  SplitMix random(22);
  int monotone = 0;
  for (int i = 0; i < 40'000; ++i) {
    const std::string text = any_expression(random, static_cast<int>(random.between(1, 3)));
    const Formula f = formula(text, static_cast<Comparison>(random.between(0, 1)));
    if (f.needs.has(Feature::classes)) continue;
    const Behaviour behaviour = behaviour_of(f);
    Inputs inputs = any_inputs(random);
    inputs["clock"] += 1;
    inputs["d"] += 1;
    const double before = score_of(f, inputs_of(inputs)).approximate;
    if (behaviour.defined) {
      ASSERT_FALSE(std::isnan(before)) << text;
    }
    if (!behaviour.negative) {
      ASSERT_FALSE(before < 0) << text;
    }
    if (!behaviour.infinite) {
      ASSERT_FALSE(std::isinf(before)) << text;
    }
    for (const auto& [group, names] : groups) {
      Inputs grown = inputs;
      for (const std::string& name : names) grown[name] += random.between(0, std::int64_t{1} << random.between(0, 40));
      const double after = score_of(f, inputs_of(grown)).approximate;
      const double margin = f.pure ? 2 * exact::kRelativeError * std::max(std::abs(before), std::abs(after)) : 0;
      const Trend trend = behaviour.trend(group);
      if (!behaviour.defined) continue;
      if (!trend.rises && !std::isinf(before)) {
        ASSERT_LE(after, before + margin) << text;
      }
      if (!trend.falls && !std::isinf(after)) {
        ASSERT_GE(after, before - margin) << text;
      }
      if (!trend.falls && std::isinf(before) && before > 0) {
        ASSERT_EQ(after, before) << text;
      }
      monotone += trend.rises != trend.falls;
    }
  }
  EXPECT_GT(monotone, 5'000);
}

TEST(Formula, WhatUsersWriteIsSeenToBeMonotone) {
  for (const char* text :
       {"(c + e) / (m * s)", "(c + ef) / m", "(c + e) / (m * s) * (1 + 0.25 * n)", "(c + e) / (m * sqrt(s))",
        "(c + e) ^ 2 / (m * s ^ 0.5) * (1 + k)", "max(c, e) / max(s, 1)", "log(1 + e) + n / m - 0 * c"}) {
    const Behaviour b = behaviour_of(formula(text));
    const bool subtracts = std::string(text).find(" - ") != std::string::npos;
    EXPECT_EQ(b.negative, subtracts || std::string(text).find("log") != std::string::npos) << text;
    EXPECT_TRUE(b.defined) << text;
    EXPECT_TRUE(b.trend(InputGroup::neighbourhood).rises) << text;
    EXPECT_FALSE(b.trend(InputGroup::neighbourhood).falls) << text;
    EXPECT_FALSE(b.trend(InputGroup::staleness).rises) << text;
  }
  EXPECT_TRUE(behaviour_of(formula("c - e")).trend(InputGroup::neighbourhood).falls);
  EXPECT_TRUE(behaviour_of(formula("s * (c + e)")).trend(InputGroup::staleness).rises);
  EXPECT_FALSE(behaviour_of(formula("log(e - c)")).defined);
  EXPECT_FALSE(behaviour_of(formula("(1.0 / s) * c")).defined);  // infinity times 0
}

}  // namespace
}  // namespace pothole
