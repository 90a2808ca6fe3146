// Score expressions, parsed with PEGTL: the grammar of engine/scores/expression.h, rule for rule.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <tao/pegtl.hpp>
#include <type_traits>
#include <utility>

#include "engine/nearest_word.h"
#include "engine/scores/expression.h"

namespace pothole {
namespace {

struct Call {
  const FunctionInfo* function = nullptr;
  std::string_view name;
  std::size_t at = 0;
  std::size_t operands_before = 0;
};

// Thrown out of the parser.
struct Refusal {
  ExpressionError error;
};

[[noreturn]] void refuse(std::size_t at, std::size_t length, std::string what, std::string fix) {
  throw Refusal{{at, length, std::move(what), std::move(fix)}};
}

// What has been read so far: operands wait for the operator that takes them.
struct Reading {
  Expression expression;
  std::vector<NodeId> operands;
  std::vector<Call> calls;
  std::vector<bool> signs;  // of the negations under way: is the sign minus?

  void push(const Node& node) {
    expression.nodes.push_back(node);
    operands.push_back(static_cast<NodeId>(expression.nodes.size() - 1));
  }
  void combine(NodeKind kind, std::size_t count, std::size_t at, bool swapped = false) {
    Node node;
    node.kind = kind;
    node.at = static_cast<std::uint16_t>(at);  // at most kExpressionLengthMax
    std::copy(operands.end() - static_cast<std::ptrdiff_t>(count), operands.end(), node.of.begin());
    operands.resize(operands.size() - count);
    if (swapped) std::swap(node.of[0], node.of[1]);
    push(node);
  }
};

template <class Info>
std::string names_of(std::span<const Info> infos) {
  std::string names;
  for (const Info& info : infos) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

// Words that other languages have.
constexpr std::pair<std::string_view, std::string_view> kForeignWords[] = {
    {"budget", "no score reads the budget; resident and need are there"},
    {"shortfall", "no score reads the budget; resident and need are there"},
    {"ratio", "no score reads the budget; resident and need are there"},
    {"and", "write a * b for 'and'"},
    {"or", "write max(a, b) for 'or'"},
    {"not", "write x == 0 for 'not'"},
    {"if", "write x ? y : z"},
    {"true", "write 1"},
    {"false", "write 0"},
    {"pow", "a power is written x ^ y"},
    {"ln", "the natural logarithm is log"},
    {"log2", "write log(x) / log(2)"},
    {"log10", "write log(x) / log(10)"},
    {"cbrt", "write x ^ (1 / 3)"},
    {"pi", "write 3.141592653589793"},
    {"inf", "infinity is written 1 / 0"},
    {"size", "the size in bytes is m"},
    {"cost", "own compute is c"},
    {"compute", "own compute is c"},
    {"staleness", "staleness is s"},
    {"time", "the time is clock"},
};

std::string_view foreign_word(std::string_view name) {
  const auto at = std::find_if(std::begin(kForeignWords), std::end(kForeignWords),
                               [&](const auto& word) { return word.first == name; });
  return at == std::end(kForeignWords) ? std::string_view() : at->second;
}

std::string words_text() {
  return "variables: " + names_of(score_variables()) + "; functions: " + names_of(score_functions());
}

template <class Info>
const Info* find_named(std::span<const Info> infos, std::string_view name) {
  const auto at = std::find_if(infos.begin(), infos.end(), [&](const Info& info) { return info.name == name; });
  return at == infos.end() ? nullptr : &*at;
}

template <class Info>
[[noreturn]] void refuse_name(std::span<const Info> infos, const char* kind, std::string_view name, std::size_t at) {
  const std::string what = std::string("unknown ") + kind + " '" + shortened(name) + "'";
  if (const std::string_view hint = foreign_word(name); !hint.empty())
    refuse(at, name.size(), what, std::string(hint) + "; " + words_text());
  // Words are so short that any is near; one that was meant begins alike.
  std::vector<std::string> known;
  for (const Info& info : infos)
    if (info.name.front() == name.front()) known.emplace_back(info.name);
  const std::string nearest = name.size() > kNameLengthMax ? "" : nearest_word(name, known);
  refuse(at, name.size(), what, (nearest.empty() ? "" : "did you mean " + nearest + "? ") + words_text());
}

// Of any length: what does not fit in a mantissa is made of 18 digits at a time.
void push_whole_number(Reading& reading, std::string_view digits, std::size_t at) {
  Node whole;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), whole.mantissa).ec == std::errc())
    return reading.push(whole);
  constexpr std::size_t kDigits = 18;
  constexpr std::int64_t kUnit = 1'000'000'000'000'000'000;
  const auto push_next = [&](std::size_t count) {
    Node node;
    std::from_chars(digits.data(), digits.data() + count, node.mantissa);
    digits.remove_prefix(count);
    reading.push(node);
  };
  push_next((digits.size() - 1) % kDigits + 1);
  while (!digits.empty()) {
    reading.push({.mantissa = kUnit});
    reading.combine(NodeKind::multiply, 2, at);
    push_next(kDigits);
    reading.combine(NodeKind::add, 2, at);
  }
}

// The nearest double, taken apart.
Node real_number(std::string_view text, std::size_t at) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || !std::isfinite(value))
    refuse(at, text.size(), "a number is out of range", "a double has 1e-308 to 1e308");
  Node node;
  node.whole = false;
  int exponent = 0;
  node.mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  if (node.mantissa == 0) return node;
  exponent -= 53;
  for (; node.mantissa % 2 == 0; node.mantissa /= 2) ++exponent;
  node.exponent = static_cast<std::int16_t>(exponent);
  return node;
}

namespace grammar {
using tao::pegtl::alnum;
using tao::pegtl::alpha;
using tao::pegtl::digit;
using tao::pegtl::eof;
using tao::pegtl::if_must;
using tao::pegtl::list_must;
using tao::pegtl::must;
using tao::pegtl::one;
using tao::pegtl::opt;
using tao::pegtl::plus;
using tao::pegtl::seq;
using tao::pegtl::sor;
using tao::pegtl::space;
using tao::pegtl::star;
using tao::pegtl::string;

struct blank : star<space> {};
template <char... symbol>
struct sign_of : seq<string<symbol...>, blank> {};

struct choice;
struct sign;

struct exponent : seq<one<'e', 'E'>, opt<one<'+', '-'>>, plus<digit>> {};
struct digits_of_number : sor<seq<plus<digit>, opt<one<'.'>, star<digit>>>, seq<one<'.'>, plus<digit>>> {};
struct number : seq<digits_of_number, opt<exponent>> {};
struct name : seq<sor<alpha, one<'_'>>, star<sor<alnum, one<'_'>>>> {};
struct variable : name {};

struct argument_end : sign_of<')'> {};
struct arguments : list_must<choice, sign_of<','>> {};
struct call_begin : seq<name, blank, sign_of<'('>> {};
struct call : if_must<call_begin, arguments, argument_end> {};
struct closing : sign_of<')'> {};
struct group : if_must<sign_of<'('>, choice, closing> {};
struct atom : sor<seq<number, blank>, call, seq<variable, blank>, group> {};

struct raise : if_must<sign_of<'^'>, sign> {};
struct power : seq<atom, opt<raise>> {};
struct operand : power {};
struct minus_signs : star<sign_of<'-'>> {};
struct sign : seq<minus_signs, operand> {};

struct times : if_must<sign_of<'*'>, sign> {};
struct over : if_must<sign_of<'/'>, sign> {};
struct product : seq<sign, star<sor<times, over>>> {};

struct plus_term : if_must<sign_of<'+'>, product> {};
struct minus_term : if_must<sign_of<'-'>, product> {};
struct sum : seq<product, star<sor<plus_term, minus_term>>> {};

struct at_most : if_must<sign_of<'<', '='>, sum> {};
struct at_least : if_must<sign_of<'>', '='>, sum> {};
struct below : if_must<sign_of<'<'>, sum> {};
struct above : if_must<sign_of<'>'>, sum> {};
struct same : if_must<sign_of<'=', '='>, sum> {};
struct other : if_must<sign_of<'!', '='>, sum> {};
struct comparison : seq<sum, opt<sor<at_most, at_least, below, above, same, other>>> {};

struct colon : sign_of<':'> {};
struct alternatives : if_must<sign_of<'?'>, choice, colon, choice> {};
struct choice : seq<comparison, opt<alternatives>> {};

struct whole_text : must<blank, choice, eof> {};
}  // namespace grammar

template <class Rule>
struct Action : tao::pegtl::nothing<Rule> {};

template <NodeKind kind, std::size_t count, bool swapped = false>
struct Combine {
  template <class Input>
  static void apply(const Input& in, Reading& reading) {
    reading.combine(kind, count, in.position().byte, swapped);
  }
};
template <>
struct Action<grammar::raise> : Combine<NodeKind::power, 2> {};
template <>
struct Action<grammar::times> : Combine<NodeKind::multiply, 2> {};
template <>
struct Action<grammar::over> : Combine<NodeKind::divide, 2> {};
template <>
struct Action<grammar::plus_term> : Combine<NodeKind::add, 2> {};
template <>
struct Action<grammar::minus_term> : Combine<NodeKind::subtract, 2> {};
template <>
struct Action<grammar::below> : Combine<NodeKind::less, 2> {};
template <>
struct Action<grammar::above> : Combine<NodeKind::less, 2, true> {};
template <>
struct Action<grammar::at_most> : Combine<NodeKind::less_equal, 2> {};
template <>
struct Action<grammar::at_least> : Combine<NodeKind::less_equal, 2, true> {};
template <>
struct Action<grammar::same> : Combine<NodeKind::equal, 2> {};
template <>
struct Action<grammar::other> : Combine<NodeKind::not_equal, 2> {};
template <>
struct Action<grammar::alternatives> : Combine<NodeKind::select, 3> {};

template <>
struct Action<grammar::number> {
  template <class Input>
  static void apply(const Input& in, Reading& reading) {
    const std::string_view text = in.string_view();
    const bool whole = text.find_first_not_of("0123456789") == text.npos;
    if (whole)
      push_whole_number(reading, text, in.position().byte);
    else
      reading.push(real_number(text, in.position().byte));
  }
};
template <>
struct Action<grammar::variable> {
  template <class Input>
  static void apply(const Input& in, Reading& reading) {
    const auto infos = score_variables();
    const VariableInfo* info = find_named(infos, in.string_view());
    if (info == nullptr) {
      if (find_named(score_functions(), in.string_view()) != nullptr)
        refuse(in.position().byte, in.size(), "'" + in.string() + "' is a function",
               "give it arguments: " + in.string() + "(...)");
      refuse_name(infos, "variable", in.string_view(), in.position().byte);
    }
    Node node;
    node.kind = NodeKind::variable;
    node.variable = static_cast<Variable>(info - infos.data());
    reading.push(node);
  }
};
template <>
struct Action<grammar::call_begin> {
  template <class Input>
  static void apply(const Input& in, Reading& reading) {
    const std::string_view name = in.string_view().substr(0, in.string_view().find_first_of("( \t\r\n\v\f"));
    const std::size_t at = in.position().byte;
    const FunctionInfo* function = find_named(score_functions(), name);
    if (function == nullptr) {
      if (find_named(score_variables(), name) != nullptr)
        refuse(at, name.size(), "'" + std::string(name) + "' is a variable, not a function",
               "a product is written " + std::string(name) + " * (...)");
      refuse_name(score_functions(), "function", name, at);
    }
    reading.calls.push_back({function, name, at, reading.operands.size()});
  }
};
template <>
struct Action<grammar::call> {
  static void apply0(Reading& reading) {
    const Call call = reading.calls.back();
    reading.calls.pop_back();
    const std::size_t count = reading.operands.size() - call.operands_before;
    const bool fits = call.function->several ? count >= 2 : count == 1;
    if (!fits)
      refuse(call.at, call.name.size(),
             std::string(call.name) + " has " + std::to_string(count) + (count == 1 ? " argument" : " arguments"),
             call.function->several ? "give it two or more" : "give it one");
    if (!call.function->several) return reading.combine(call.function->kind, 1, call.at);
    for (std::size_t i = 1; i < count; ++i) reading.combine(call.function->kind, 2, call.at);
  }
};
template <>
struct Action<grammar::minus_signs> {
  template <class Input>
  static void apply(const Input& in, Reading& reading) {
    const std::string_view text = in.string_view();
    reading.signs.push_back(std::count(text.begin(), text.end(), '-') % 2 == 1);
  }
};
template <>
struct Action<grammar::operand> {
  template <class Input>
  static void apply(const Input& in, Reading& reading) {
    if (reading.signs.back()) reading.combine(NodeKind::negate, 1, in.position().byte);
    reading.signs.pop_back();
  }
};

template <class Rule>
inline constexpr const char* kExpected = "an operand: a number, a variable, a function or '('";
template <>
inline constexpr const char* kExpected<grammar::eof> = "an operator or the end";
template <>
inline constexpr const char* kExpected<grammar::closing> = "an operator or ')'";
template <>
inline constexpr const char* kExpected<grammar::argument_end> = "an operator, ',' or ')'";
template <>
inline constexpr const char* kExpected<grammar::colon> = "an operator or ':'";

template <class Rule>
inline constexpr bool kOperatorExpected =
    std::is_same_v<Rule, grammar::eof> || std::is_same_v<Rule, grammar::closing> ||
    std::is_same_v<Rule, grammar::argument_end> || std::is_same_v<Rule, grammar::colon>;

// What stands where no operator or operand can be read, and what is written instead; no fix: it is not known.
struct Misplaced {
  std::string_view text, what, fix;
};

constexpr std::string_view kChained = "write (a < b) * (b < c) for both; parentheses compare the 1 or 0 of one";

constexpr Misplaced kInsteadOfOperator[] = {
    {"&&", "there is no '&&'", "write a * b for 'and'"},
    {"&", "there is no '&'", "write a * b for 'and'"},
    {"||", "there is no '||'", "write max(a, b) for 'or'"},
    {"|", "there is no '|'", "write max(a, b) for 'or'"},
    {"<=", "comparisons do not chain", kChained},
    {"<", "comparisons do not chain", kChained},
    {">=", "comparisons do not chain", kChained},
    {">", "comparisons do not chain", kChained},
    {"==", "comparisons do not chain", kChained},
    {"!=", "comparisons do not chain", kChained},
    {"=<", "there is no '=<'", "at most is written <="},
    {"=>", "there is no '=>'", "at least is written >="},
    {"=", "unexpected '='", "equality is written =="},
    {"%", "there is no '%'", "there are + - * / ^ and comparisons"},
};
// With what must stand before.
constexpr Misplaced kInsteadOfOperand[] = {
    {"**", "there is no '**'", "a power is written x ^ y"},
    {"//", "there is no '//'", "a quotient is written x / y and is not rounded to a whole number"},
    {"<>", "there is no '<>'", "inequality is written !="},
    {"!", "there is no '!'", "write x == 0 for 'not'"},
};

[[noreturn]] void refuse_words(std::string_view text, std::size_t at, const char* expected) {
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_of_word);
  const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  std::string_view hint = foreign_word(word);
  refuse(at, word.size(), "unexpected '" + shortened(word) + "'",
         hint.empty() ? std::string("what comes next is ") + expected + "; a product is written *" : std::string(hint));
}

template <class Rule>
struct Control : tao::pegtl::normal<Rule> {
  template <class Input, class... States>
  [[noreturn]] static void raise(const Input& in, States&&...) {
    const std::size_t at = in.position().byte;
    if (in.empty())
      refuse(at, 0, "the expression ends too early", std::string("what comes next is ") + kExpected<Rule>);
    const std::string_view rest(in.current(), in.size());
    if (kOperatorExpected<Rule>) {
      for (const Misplaced& found : kInsteadOfOperator)
        if (rest.starts_with(found.text))
          refuse(at, found.text.size(), std::string(found.what), std::string(found.fix));
      if (std::isalnum(static_cast<unsigned char>(rest[0])) || rest[0] == '_') refuse_words(rest, at, kExpected<Rule>);
    } else {
      const std::string_view before(in.begin(), at);
      for (const Misplaced& found : kInsteadOfOperand) {
        const std::size_t earlier = found.text.size() - 1;
        const std::string_view last = before.substr(before.size() - std::min(earlier, before.size()));
        if (last == found.text.substr(0, earlier) && rest[0] == found.text.back())
          refuse(at - earlier, found.text.size(), std::string(found.what), std::string(found.fix));
      }
    }
    refuse(at, character_length(rest), "unexpected '" + shortened(rest.substr(0, character_length(rest))) + "'",
           std::string("what comes next is ") + kExpected<Rule>);
  }
};

// The parser and all that walks expressions are recursive.
void check_extent(std::string_view text) {
  if (text.size() > kExpressionLengthMax)
    refuse(kExpressionLengthMax, 1, "the expression is too long",
           "it has " + std::to_string(text.size()) + " bytes and may have " + std::to_string(kExpressionLengthMax));
  std::size_t nesting = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::string_view("(?^").find(text[at]) == std::string_view::npos) continue;
    if (++nesting > kExpressionNestingMax)
      refuse(at, 1, "the expression has too many of '(', '?' and '^'",
             "it may have " + std::to_string(kExpressionNestingMax));
  }
}

}  // namespace

std::optional<Expression> parse_expression(std::string_view text, ExpressionError& error) {
  try {
    check_extent(text);
    Reading reading;
    tao::pegtl::memory_input in(text.data(), text.size(), "score");
    tao::pegtl::parse<grammar::whole_text, Action, Control>(in, reading);
    return std::move(reading.expression);
  } catch (Refusal& refusal) {
    error = std::move(refusal.error);
    return std::nullopt;
  }
}

}  // namespace pothole
