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
    OperatorInfo{"* /", "product and quotient; x / 0 is infinity, whatever x is"},
    OperatorInfo{"-x", "negation"},
    OperatorInfo{"^", "power, from the right: 2^3^2 is 2^9, -2^2 is -4"},
};

// Of UTF-8.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }
bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

}  // namespace

std::span<const VariableInfo> score_variables() { return kVariableInfos; }
std::span<const FunctionInfo> score_functions() { return kFunctionInfos; }
std::span<const OperatorInfo> score_operators() { return kOperatorInfos; }

std::size_t character_length(std::string_view text) {
  std::size_t length = std::min<std::size_t>(text.size(), 1);
  while (length < text.size() && !begins_character(text[length])) ++length;
  return length;
}

std::string shortened(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  for (char byte : text.substr(0, kNameLengthMax)) {
    if (is_control(byte)) {
      shown += "\\x";
      shown += kDigits[static_cast<unsigned char>(byte) / 16];
      shown += kDigits[static_cast<unsigned char>(byte) % 16];
    } else {
      shown += byte;
    }
  }
  return text.size() > kNameLengthMax ? shown + "..." : shown;
}

std::string pointed_out(std::string_view text, const ExpressionError& error) {
  constexpr std::string_view kIndent = "\n    ", kMore = "...";
  constexpr std::size_t kBefore = 60, kAfter = 40;
  std::size_t first = error.at > kBefore + kMore.size() ? error.at - kBefore : 0;
  while (first > 0 && first < error.at && !begins_character(text[first])) ++first;
  std::size_t last = text.size() > error.at + kAfter + kMore.size() ? error.at + kAfter : text.size();
  while (last > error.at && last < text.size() && !begins_character(text[last])) --last;
  std::string shown = error.what;
  shown += kIndent;
  if (first > 0) shown += kMore;
  // One column for each character.
  for (char byte : text.substr(first, last - first)) shown += is_control(byte) ? ' ' : byte;
  if (last < text.size()) shown += kMore;
  shown += kIndent;
  shown.append((first > 0 ? kMore.size() : 0) + characters_in(text.substr(first, error.at - first)), ' ');
  shown += '^';
  const std::size_t marked = characters_in(text.substr(error.at, std::min(error.length, last - error.at)));
  if (marked > 1) shown.append(marked - 1, '~');
  shown += kIndent;
  return shown;
}

}  // namespace pothole
