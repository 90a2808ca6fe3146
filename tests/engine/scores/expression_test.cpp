// What is a score expression, and what is said of what is not one.
#include "engine/scores/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

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
  EXPECT_EQ(structure("999999999999999999"), "999999999999999999");
  EXPECT_EQ(structure("9223372036854775808"), "(+ (* 9 1000000000000000000) 223372036854775808)");
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
      {"c <= e == m", 7, "do not chain", "(a < b) * (b < c)"},
      {"(c != e >= m)", 8, "do not chain", "(a < b) * (b < c)"},
      {"c > e ? m != n < s : 1", 15, "do not chain", "(a < b) * (b < c)"},
      {"min(c, e == m > 1)", 14, "do not chain", "(a < b) * (b < c)"},
      {"c =< e", 2, "no '=<'", "<="},
      {"c => e", 2, "no '=>'", ">="},
      {"c <> e", 2, "no '<>'", "!="},
      {"c || e", 2, "no '||'", "max(a, b) for 'or'"},
      {"c | e", 2, "no '|'", "max(a, b) for 'or'"},
      {"(c or e)", 3, "unexpected 'or'", "max(a, b) for 'or'"},
      {"not c", 0, "unknown variable 'not'", "x == 0 for 'not'"},
      {"!c", 0, "no '!'", "x == 0 for 'not'"},
      {"c ** 2", 2, "no '**'", "x ^ y"},
      {"c // 2", 2, "no '//'", "x / y"},
      {"c % 2", 2, "no '%'", "+ - * / ^"},
      {"sin(c)", 0, "unknown function 'sin'", "variables: c"},
      {"tan(c)", 0, "unknown function 'tan'", "variables: c"},
      {"floor(c / m)", 0, "unknown function 'floor'", "variables: c"},
      {"maxx(c, m)", 0, "unknown function 'maxx'", "did you mean max?"},
      {"pow(c, 2)", 0, "unknown function 'pow'", "x ^ y"},
      {"m / budget", 4, "unknown variable 'budget'", "no score reads the budget; resident and need are there"},
      {"c + \x01", 4, "unexpected '\\x01'", "an operand"},
      {"c \x7f", 2, "unexpected '\\x7f'", "an operator"},
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

TEST(ScoreExpression, AWordIsOnlySuggestedWhereItBeginsAlike) {
  for (const char* text : {"sin(c)", "cos(c)", "tan(c)", "nin(c)", "fax(c)", "floor(c)", "ceil(c)", "zz", "budgt"})
    EXPECT_EQ(error_of(text).fix.find("did you mean"), std::string::npos) << text << ": " << error_of(text).fix;
}

TEST(ScoreExpression, OfALongTextTheMessageShowsThePlace) {
  for (const std::size_t before : {0U, 10U, 60U, 63U, 64U, 500U, 1900U}) {
    for (const std::size_t after : {0U, 1U, 43U, 44U, 1000U, 120'000U}) {
      std::string text;
      while (text.size() < before) text += "c+";
      text += "zzz";
      while (text.size() < before + after) text += "+c";
      ExpressionError error;
      ASSERT_FALSE(parse_expression(text, error));
      const std::string shown = pointed_out(text, error);
      ASSERT_LT(shown.size(), 350u);
      // The mark stands under what is marked.
      std::istringstream lines(shown);
      std::string what, line, mark;
      std::getline(lines, what);
      std::getline(lines, line);
      std::getline(lines, mark);
      const std::size_t column = mark.find('^');
      if (text.size() <= kExpressionLengthMax) {
        EXPECT_EQ(line.substr(column, 3), "zzz") << shown;
        EXPECT_EQ(mark.substr(column), "^~~");
      }
      EXPECT_EQ(line.find("...") == 4, error.at > 63) << shown;
      EXPECT_EQ(line.ends_with("..."), text.size() > error.at + 43) << shown;
    }
  }
  const ExpressionError error = error_of(std::string(1500, 'n'));
  EXPECT_LT(pointed_out(std::string(1500, 'n'), error).size(), 300u);
  // Characters of several bytes are not cut.
  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "\xC3\xA9";
  const std::string text = "c + " + accents;
  EXPECT_THAT(pointed_out(text, error_of(text)), HasSubstr("\xC3\xA9...\n"));
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

TEST(ScorePolicy, ANameIsAWordOfItsOwn) {
  PolicyError error;
  const auto accepted = [&](const std::string& text) { return configure_score(text, error).policy != nullptr; };
  const std::string longest(kNameLengthMax, 'n');
  EXPECT_TRUE(accepted(longest + "=m"));
  EXPECT_TRUE(accepted("A-1_b = m"));
  for (const std::string& name : {longest + "n", std::string(120'000, 'n'), std::string("2fast"), std::string("_x"),
                                  std::string("-x"), std::string("my score"), std::string("a.b"), std::string("a@b"),
                                  std::string("\xC3\xA9"), std::string("a\nb"), std::string("a\x01z")}) {
    EXPECT_FALSE(accepted(name + "=m")) << name;
    EXPECT_THAT(error.what, HasSubstr("is no name for a score"));
    EXPECT_THAT(error.fix, HasSubstr("letters, digits, '_' and '-', at most 64"));
    EXPECT_LT(error.what.size(), 120u);
    EXPECT_EQ(error.what.find_first_of("\n\x01"), std::string::npos);
  }
  for (const Policy& policy : policies()) {
    EXPECT_FALSE(accepted(std::string(policy.name) + "=m")) << policy.name;
    EXPECT_THAT(error.what, HasSubstr("which is a policy's"));
    if (!policy.alias.empty()) {
      EXPECT_FALSE(accepted(std::string(policy.alias) + "=m")) << policy.alias;
    }
  }
  for (const VariableInfo& v : score_variables()) EXPECT_FALSE(accepted(std::string(v.name) + "=1")) << v.name;
  for (const FunctionInfo& f : score_functions()) EXPECT_FALSE(accepted(std::string(f.name) + "=1")) << f.name;
  EXPECT_FALSE(accepted("c + e = m"));
  EXPECT_THAT(error.fix, HasSubstr("=="));
  EXPECT_FALSE(accepted("c =< m"));
  EXPECT_THAT(error.fix, HasSubstr("<="));
}

TEST(ScorePolicy, IsShownInOneLine) {
  PolicyError error;
  EXPECT_EQ(configure_score("\n c +\n\t m\r\v\f", error).text, "c + m");
  EXPECT_EQ(configure_score("mine\n=\n c", error).text, "mine=c");
  EXPECT_TRUE(configure_score("c\n/ m", error) == configure_score("c / m", error));
  EXPECT_EQ(configure_score("c\n+ mm", error).policy, nullptr);
  EXPECT_THAT(error.what, HasSubstr("\n    c + mm\n        ^~\n"));
  EXPECT_EQ(configure_score("m^1000000000", error).policy, nullptr);
  EXPECT_THAT(error.what, HasSubstr("\n    m^1000000000\n     ^\n"));
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
