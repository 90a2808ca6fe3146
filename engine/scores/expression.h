// A score as a user writes it: variables about a candidate, arithmetic, and a few functions.
//
//   choice      comparison [ "?" choice ":" choice ]
//   comparison  sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]        worth 1 or 0
//   sum         product { ("+" | "-") product }
//   product     sign { ("*" | "/") sign }
//   sign        { "-" } power
//   power       atom [ "^" sign ]                                          2^3^2 is 2^9, -2^2 is -4
//   atom        number | variable | function "(" choice { "," choice } ")" | "(" choice ")"
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/policy.h"

namespace pothole {

// In the order of score_variables().
enum class Variable : std::uint8_t { c, e, ef, er, n, q, m, s, a, k, d, x, clock, resident, need };
inline constexpr std::size_t kVariables = 15;

struct VariableInfo {
  std::string_view name;
  std::string_view help;
  Features needs;
};
std::span<const VariableInfo> score_variables();

enum class NodeKind : std::uint8_t {
  number,
  variable,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  equal,
  not_equal,
  select,  // of[0] is not 0 ? of[1] : of[2]
  min,
  max,
  abs,
  sqrt,
  log,
  exp,
  quotient,  // of a Formula only (engine/scores/formula.h): of[0], or the fraction of[0] / of[1], as a double
};

struct FunctionInfo {
  std::string_view name;
  std::string_view help;
  NodeKind kind;
  bool several;  // two arguments or more instead of one
};
std::span<const FunctionInfo> score_functions();

struct OperatorInfo {
  std::string_view name;
  std::string_view help;
};
// Weakest first.
std::span<const OperatorInfo> score_operators();

using NodeId = std::uint32_t;  // kNone where there is none

// Operands stand before the node that uses them.
struct Node {
  NodeKind kind = NodeKind::number;
  Variable variable = Variable::c;
  bool whole = true;  // of a number: written without point and exponent; of a Formula: one of its whole numbers
  std::int16_t exponent = 0;
  std::uint16_t at = 0;       // where its operator stands in the text, in bytes
  std::int64_t mantissa = 0;  // a number is mantissa * 2^exponent; the exponent of a whole one is not negative
  std::array<NodeId, 3> of = {kNone, kNone, kNone};
};

// The last node is the root.
struct Expression {
  std::vector<Node> nodes;
};

struct ExpressionError {
  std::size_t at = 0;      // of the text, in bytes
  std::size_t length = 1;  // 0: at the end of the text
  std::string what;
  std::string fix;
};

// At most so long, and nested so deep.
inline constexpr std::size_t kExpressionLengthMax = 2000;
inline constexpr std::size_t kExpressionNestingMax = 100;

// Nothing, and the error set, if the text is no expression.
std::optional<Expression> parse_expression(std::string_view text, ExpressionError& error);

// Of a name in a score, and of what is shown of a word.
inline constexpr std::size_t kNameLengthMax = 64;

// A piece of what a user wrote, for a message: the beginning where it is long, what cannot be printed as \xNN.
std::string shortened(std::string_view text);

// Of its first character in UTF-8, in bytes; at least 1 unless it is empty.
std::size_t character_length(std::string_view text);

// What is wrong, with the text around the place and a line that points into it; without the fix.
std::string pointed_out(std::string_view text, const ExpressionError& error);

}  // namespace pothole
