// What is a score expression, and what is said of what is not one.
#include "engine/scores/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/scores/score_policy.h"
#include "tests/support/any_program.h"

namespace pothole {
namespace {

using testing::HasSubstr;

ExpressionError error_of(const std::string& text) {
  ExpressionError error;
  EXPECT_FALSE(parse_expression(text, error)) << text;
  return error;
}

// The structure, fully bracketed.
std::string structure(const Expression& expression, NodeId id) {
  const Node& node = expression.nodes[id];
  if (node.kind == NodeKind::number)
    return std::to_string(node.mantissa) + (node.exponent == 0 ? "" : "p" + std::to_string(node.exponent));
  if (node.kind == NodeKind::variable)
    return std::string(score_variables()[static_cast<std::size_t>(node.variable)].name);
  static const char* const kNames[] = {
      "", "", "neg", "+", "-", "*", "/", "^", "<", "<=", "==", "!=", "?:", "min", "max", "abs", "sqrt", "log", "exp"};
  std::string text = std::string("(") + kNames[static_cast<std::size_t>(node.kind)];
  for (NodeId operand : node.of)
    if (operand != kNone) text += " " + structure(expression, operand);
  return text + ")";
}

std::string structure(const std::string& text) {
  ExpressionError error;
  const auto expression = parse_expression(text, error);
  if (!expression) return pointed_out(text, error);
  return structure(*expression, static_cast<NodeId>(expression->nodes.size() - 1));
}

TEST(ScoreExpression, OperatorsBindAsInTheirList) {
  EXPECT_EQ(structure("(c + e) / (m * s)"), "(/ (+ c e) (* m s))");
  EXPECT_EQ(structure("c + e * m ^ s"), "(+ c (* e (^ m s)))");
  EXPECT_EQ(structure("c - e - m"), "(- (- c e) m)");
  EXPECT_EQ(structure("c / e * m"), "(* (/ c e) m)");
  EXPECT_EQ(structure("2 ^ 3 ^ c"), "(^ 2 (^ 3 c))");
  EXPECT_EQ(structure("-c ^ 2"), "(neg (^ c 2))");
  EXPECT_EQ(structure("2 ^ -c * m"), "(* (^ 2 (neg c)) m)");
  EXPECT_EQ(structure("--c"), "c");
  EXPECT_EQ(structure("c - - - e"), "(- c e)");
  EXPECT_EQ(structure("c < e + 1 ? m : s > 2 ? a : k"), "(?: (< c (+ e 1)) m (?: (< 2 s) a k))");
  EXPECT_EQ(structure("c >= e"), "(<= e c)");
  EXPECT_EQ(structure("min(c, e, max(m, s))"), "(min c (min e (max m s)))");
  EXPECT_EQ(structure(" exp( log (resident) )\n"), "(exp (log resident))");
  EXPECT_EQ(structure("ef+er"), "(+ ef er)");
}

TEST(ScoreExpression, NumbersAreWholeOrTheNearestDouble) {
  EXPECT_EQ(structure("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(structure("0.25"), "1p-2");
  EXPECT_EQ(structure("1."), "1");
  EXPECT_EQ(structure(".5e1"), "5");
  EXPECT_EQ(structure("3e2"), "75p2");
  EXPECT_EQ(structure("0.0"), "0");
}

TEST(ScoreExpression, AMistakeIsPointedOut) {
  const std::string text = "(c + eff) / (m * s)";
  const ExpressionError error = error_of(text);
  EXPECT_EQ(error.at, 5u);
  EXPECT_EQ(error.length, 3u);
  EXPECT_EQ(error.what, "unknown variable 'eff'");
  EXPECT_EQ(error.fix.substr(0, 17), "did you mean ef? ");
  EXPECT_THAT(error.fix, HasSubstr("variables: c, e, ef, er, n, q, m, s, a, k, d, x, clock, resident, need"));
  EXPECT_THAT(error.fix, HasSubstr("functions: min, max, abs, sqrt, log, exp"));
  EXPECT_EQ(pointed_out(text, error), "unknown variable 'eff'\n    (c + eff) / (m * s)\n         ^~~\n    ");
}

TEST(ScoreExpression, ThePlaceOfEveryKindOfMistake) {
  const struct {
    const char* text;
    std::size_t at;
    const char* what;
    const char* fix;
  } kMistakes[] = {
      {"", 0, "ends too early", "an operand"},
      {"c +", 3, "ends too early", "an operand"},
      {"c + * e", 4, "unexpected '*'", "an operand"},
      {"(c", 2, "ends too early", "')'"},
      {"(c + e] / m", 6, "unexpected ']'", "')'"},
      {"c)", 1, "unexpected ')'", "the end"},
      {"c e", 2, "unexpected 'e'", "an operator"},
      {"2c", 1, "unexpected 'c'", "an operator"},
      {"c = e", 2, "unexpected '='", "=="},
      {"c & e", 2, "there is no '&'", "a * b"},
      {"c && e", 2, "there is no '&&'", "a * b"},
      {"c and e", 2, "unexpected 'and'", "a * b"},
      {"c < e < m", 6, "comparisons do not chain", "(a < b) * (b < c)"},
      {"sin(m)", 0, "unknown function 'sin'", "functions: min"},
      {"budget / m", 0, "unknown variable 'budget'", "no score reads the budget"},
      {"c ? e", 5, "ends too early", "':'"},
      {"min(c e)", 6, "unexpected 'e'", "','"},
      {"min(c,", 6, "ends too early", "an operand"},
      {"m / \xC3\xA9", 4, "unexpected '\xC3\xA9'", "an operand"},
      {"sqrt", 0, "'sqrt' is a function", "sqrt(...)"},
      {"c + sq(e)", 4, "unknown function 'sq'", "did you mean sqrt?"},
      {"c(e)", 0, "'c' is a variable", "c * (...)"},
      {"1 + min(c)", 4, "min has 1 argument", "two or more"},
      {"sqrt(c, e)", 0, "sqrt has 2 arguments", "give it one"},
      {"1e400", 0, "out of range", "1e308"},
  };
  for (const auto& mistake : kMistakes) {
    const ExpressionError error = error_of(mistake.text);
    EXPECT_EQ(error.at, mistake.at) << mistake.text;
    EXPECT_THAT(error.what, HasSubstr(mistake.what)) << mistake.text;
    EXPECT_THAT(error.fix, HasSubstr(mistake.fix)) << mistake.text;
  }
}

TEST(ScoreExpression, LongAndDeepOnesAreRefusedBeforeTheyOverflow) {
  EXPECT_THAT(error_of(std::string(100'000, '(')).what, HasSubstr("too long"));
  EXPECT_THAT(error_of(std::string(1'000, '(')).what, HasSubstr("too many of '('"));
  EXPECT_EQ(error_of(std::string(1'000, '(')).at, kExpressionNestingMax);
  std::string sum = "c";
  while (sum.size() + 2 <= kExpressionLengthMax) sum += "+c";
  ExpressionError error;
  EXPECT_TRUE(parse_expression(sum, error));
  EXPECT_TRUE(parse_expression(std::string(kExpressionLengthMax - 1, '-') + "c", error));
  EXPECT_TRUE(
      parse_expression(std::string(kExpressionNestingMax, '(') + "c" + std::string(kExpressionNestingMax, ')'), error));
}

TEST(ScoreExpression, AnyTextIsAnExpressionOrPointedInto) {
  SplitMix random(7);
  constexpr std::string_view kPieces[] = {"c",    "e", "ef",  "q",  "(",  ")", "+",    "-",  "*",
                                          "/",    "^", "<",   "<=", "==", "?", ":",    ",",  "min",
                                          "sqrt", "1", "2.5", "1e", " ",  "=", "\xC3", "\n", "need"};
  int valid = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::int64_t n = random.between(0, 9); n > 0; --n)
      text += kPieces[static_cast<std::size_t>(random.between(0, std::size(kPieces) - 1))];
    ExpressionError error;
    if (parse_expression(text, error)) {
      ++valid;
    } else {
      ASSERT_LE(error.at + error.length, text.size()) << text;
      ASSERT_FALSE(error.what.empty()) << text;
      ASSERT_FALSE(error.fix.empty()) << text;
      ASSERT_FALSE(pointed_out(text, error).empty());
    }
  }
  EXPECT_GT(valid, 1000);
}

TEST(ScorePolicy, ItsNameIsOptional) {
  PolicyError error;
  const ConfiguredPolicy plain = configure_score(" c / m ", error);
  EXPECT_EQ(plain.text, "c / m");
  EXPECT_EQ(plain.label(), "c / m");
  const ConfiguredPolicy named = configure_score("my-score_2 = c / m", error);
  EXPECT_EQ(named.text, "my-score_2=c / m");
  EXPECT_EQ(named.label(), "my-score_2");
  EXPECT_EQ(named.policy->formula, "c / m");
  EXPECT_EQ(configure_score("c == m", error).label(), "c == m");
  EXPECT_EQ(configure_score("c = m", error).policy, nullptr);
  EXPECT_THAT(error.what, HasSubstr("cannot have the name 'c'"));
  EXPECT_EQ(configure_score("good=c +", error).policy, nullptr);
  EXPECT_THAT(error.what, HasSubstr("\n    c +\n       ^\n"));
  EXPECT_TRUE(plain == configure_score("c / m", error));
  EXPECT_FALSE(plain == named);
  EXPECT_FALSE(plain == configure_policy("AbLocalSize", error));
}

TEST(ScorePolicy, AsksForTheFeaturesOfItsVariables) {
  PolicyError error;
  const auto needs = [&](const char* text) { return configure_score(text, error).policy->needs; };
  EXPECT_EQ(needs("c / (m * s) + a + d + x + clock + resident + need"), Features());
  EXPECT_EQ(needs("ef"), Features(Feature::forward));
  EXPECT_EQ(needs("er / m"), Features(Feature::reverse));
  EXPECT_EQ(needs("e"), Feature::forward | Feature::reverse);
  EXPECT_EQ(needs("n"), Feature::forward | Feature::reverse);
  EXPECT_EQ(needs("q + k"), Feature::classes | Feature::evictions);
}

}  // namespace
}  // namespace pothole
