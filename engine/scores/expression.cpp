// The words of score expressions, and how a mistake in one is shown.
#include "engine/scores/expression.h"

#include <algorithm>

namespace pothole {
namespace {

constexpr Features kBoth = Feature::forward | Feature::reverse;

constexpr std::array<VariableInfo, kVariables> kVariableInfos = {{
    {"c", "own compute: the costs of the operators that make its tensors", {}},
    {"e", "compute of its evicted neighbourhood, ef + er", kBoth},
    {"ef", "of that, the part along children: what evicted storages computed from it cost", Feature::forward},
    {"er", "of that, the part along parents: what has to be recomputed to recompute it", Feature::reverse},
    {"n", "number of storages in the evicted neighbourhood, those in both parts twice", kBoth},
    {"q", "compute of the equivalence classes of its evicted neighbours; can be negative", Feature::classes},
    {"m", "size in bytes", {}},
    {"s", "staleness: the time since its last access", {}},
    {"a", "time of its last access", {}},
    {"k", "how often it was evicted so far, by the policy or on release", Feature::evictions},
    {"d", "number of its tensors, aliases included, as far as the trace has been read", {}},
    {"x", "number of its children, the storages computed from it, as far as the trace has been read", {}},
    {"clock", "the time: 1 at the start, then the sum of all costs so far", {}},
    {"resident", "bytes resident now", {}},
    {"need", "bytes that room is asked for: what the operator to be computed makes", {}},
}};

constexpr std::array kFunctionInfos = {
    FunctionInfo{"min", "the least of two or more", NodeKind::min, true},
    FunctionInfo{"max", "the greatest of two or more", NodeKind::max, true},
    FunctionInfo{"abs", "without its sign", NodeKind::abs, false},
    FunctionInfo{"sqrt", "square root", NodeKind::sqrt, false},
    FunctionInfo{"log", "natural logarithm", NodeKind::log, false},
    FunctionInfo{"exp", "power of e", NodeKind::exp, false},
};

constexpr std::array kOperatorInfos = {
    OperatorInfo{"x ? y : z", "y if x is not 0, else z"},
    OperatorInfo{"< <= > >= == !=", "comparisons, worth 1 or 0"},
    OperatorInfo{"+ -", "sum and difference"},
    OperatorInfo{"* /", "product and quotient; by 0 it is infinity"},
    OperatorInfo{"-x", "negation"},
    OperatorInfo{"^", "power, from the right: 2^3^2 is 2^9, -2^2 is -4"},
};

// Bytes that begin a character of UTF-8.
std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

}  // namespace

std::span<const VariableInfo> score_variables() { return kVariableInfos; }
std::span<const FunctionInfo> score_functions() { return kFunctionInfos; }
std::span<const OperatorInfo> score_operators() { return kOperatorInfos; }

std::string pointed_out(std::string_view text, const ExpressionError& error) {
  constexpr std::string_view kIndent = "\n    ";
  std::string shown = error.what;
  shown += kIndent;
  // One column for each character.
  for (char byte : text) shown += static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f ? ' ' : byte;
  shown += kIndent;
  shown.append(characters_in(text.substr(0, error.at)), ' ');
  shown += '^';
  const std::size_t marked = characters_in(text.substr(error.at, error.length));
  if (marked > 1) shown.append(marked - 1, '~');
  shown += kIndent;
  return shown;
}

}  // namespace pothole
