#include "tests/model/slow_expression.h"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cctype>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace pothole {

// `op` is the symbol or word of an operation, "number" or "variable"; `text` is that of the latter two.
struct SlowNode {
  std::string op, text;
  std::vector<std::shared_ptr<const SlowNode>> of;
};

namespace {

using NodePointer = std::shared_ptr<const SlowNode>;
using Long = boost::multiprecision::cpp_bin_float_100;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Parser {
 public:
  explicit Parser(const std::string& text) {
    for (char c : text)
      if (!std::isspace(static_cast<unsigned char>(c))) text_ += c;
  }
  NodePointer whole() {
    NodePointer node = choice();
    if (at_ != text_.size()) throw std::logic_error("no score: " + text_);
    return node;
  }

 private:
  static NodePointer make(std::string op, std::vector<NodePointer> of) {
    return std::make_shared<const SlowNode>(SlowNode{std::move(op), "", std::move(of)});
  }
  // Takes the first of these that comes next, or nothing.
  std::string take(std::initializer_list<const char*> symbols) {
    for (const std::string symbol : symbols)
      if (text_.compare(at_, symbol.size(), symbol) == 0) {
        at_ += symbol.size();
        return symbol;
      }
    return "";
  }
  NodePointer choice() {
    NodePointer condition = comparison();
    if (take({"?"}).empty()) return condition;
    NodePointer yes = choice();
    take({":"});
    return make("?", {condition, yes, choice()});
  }
  NodePointer comparison() {
    NodePointer left = sum();
    const std::string op = take({"<=", ">=", "==", "!=", "<", ">"});
    return op.empty() ? left : make(op, {left, sum()});
  }
  NodePointer sum() {
    NodePointer left = product();
    for (std::string op; !(op = take({"+", "-"})).empty();) left = make(op, {left, product()});
    return left;
  }
  NodePointer product() {
    NodePointer left = sign();
    for (std::string op; !(op = take({"*", "/"})).empty();) left = make(op, {left, sign()});
    return left;
  }
  NodePointer sign() {
    if (!take({"-"}).empty()) return make("negate", {sign()});
    NodePointer base = atom();
    return take({"^"}).empty() ? base : make("^", {base, sign()});
  }
  NodePointer atom() {
    if (!take({"("}).empty()) {
      NodePointer inner = choice();
      take({")"});
      return inner;
    }
    const std::size_t begin = at_;
    if (std::isalpha(static_cast<unsigned char>(text_[at_]))) {
      while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
      const std::string word = text_.substr(begin, at_ - begin);
      if (take({"("}).empty()) return std::make_shared<const SlowNode>(SlowNode{"variable", word, {}});
      std::vector<NodePointer> arguments = {choice()};
      while (!take({","}).empty()) arguments.push_back(choice());
      take({")"});
      return make(word, arguments);
    }
    std::size_t length = 0;
    std::stod(text_.substr(at_), &length);
    at_ += length;
    return std::make_shared<const SlowNode>(SlowNode{"number", text_.substr(begin, length), {}});
  }

  std::string text_;
  std::size_t at_ = 0;
};

// A value: a fraction without cancelling, `whole` if nothing was divided, or a double.
struct Value {
  bool exact = false, whole = false;
  BigInt numerator = 0, denominator = 1;
  double real = 0;
};

class Evaluator {
 public:
  Evaluator(const std::function<BigInt(const std::string&)>& variable, Comparison comparison)
      : variable_(variable), comparison_(comparison) {}

  Value value(const SlowNode& node) const {
    if (node.op == "number") return number(node.text);
    if (node.op == "variable") return whole(variable_(node.text));
    if (is_exact(node)) return exact_value(node);
    return real(real_value(node));
  }

  bool is_whole_score(const SlowNode& root) const { return is_exact(root) && is_whole(root); }

  double as_double(const Value& v) const {
    if (!v.exact) return v.real;
    if (v.denominator == 0)
      return v.numerator == 0 ? std::numeric_limits<double>::quiet_NaN() : v.numerator < 0 ? -kInfinity : kInfinity;
    return std::get<double>(slow_quotient(v.numerator, v.denominator,
                                          comparison_ == Comparison::exact ? Comparison::reference : comparison_));
  }

 private:
  static Value whole(const BigInt& value) { return {.exact = true, .whole = true, .numerator = value}; }
  static Value real(double value) { return {.real = value}; }
  static bool is_whole_literal(const std::string& text) { return text.find_first_not_of("0123456789") == text.npos; }

  Value number(const std::string& text) const {
    if (is_whole_literal(text)) return whole(BigInt(text));
    if (comparison_ != Comparison::exact) return real(std::stod(text));
    const SlowFraction f = fraction_of(std::stod(text));
    return {.exact = true, .whole = f.denominator == 1, .numerator = f.numerator, .denominator = f.denominator};
  }

  static const SlowNode* whole_exponent(const SlowNode& node) {
    const SlowNode& number = node.op == "negate" ? *node.of[0] : node;
    return number.op == "number" && is_whole_literal(number.text) && std::stoll(number.text) <= 64 ? &number : nullptr;
  }

  // By the form of the expression alone.
  bool is_exact(const SlowNode& node) const {
    if (node.op == "variable") return true;
    if (node.op == "number") return is_whole_literal(node.text) || comparison_ == Comparison::exact;
    if (node.op == "sqrt" || node.op == "log" || node.op == "exp") return false;
    for (const NodePointer& operand : node.of)
      if (!is_exact(*operand)) return false;
    if (node.op == "^") return whole_exponent(*node.of[1]) != nullptr;
    if (node.op == "?") return is_whole(*node.of[0]);
    if (node.op == "+" || node.op == "-" || node.op == "*" || node.op == "/" || node.op == "negate" || node.op == "abs")
      return true;
    return is_whole(node);
  }
  // Of exact ones: nothing is divided.
  bool is_whole(const SlowNode& node) const {
    if (node.op == "variable") return true;
    if (node.op == "number") return number(node.text).whole;
    if (node.op == "/") return false;
    if (node.op == "^") return node.of[1]->op != "negate" && is_whole(*node.of[0]);
    for (const NodePointer& operand : node.of)
      if (!is_exact(*operand) || !is_whole(*operand)) return false;
    return true;
  }

  // Fractions with a denominator that is not negative; if it is 0, infinity with the numerator's sign, or no number
  // where that is 0 too.
  static Value sum(const Value& a, const Value& b) {
    Value r{.exact = true};
    if (a.denominator == 0 && b.denominator == 0) {
      r.numerator = a.numerator * b.numerator > 0 ? a.numerator : BigInt(0);
      r.denominator = 0;
      return r;
    }
    if (a.denominator == 0 || b.denominator == 0) return a.denominator == 0 ? a : b;
    r.numerator = a.numerator * b.denominator + b.numerator * a.denominator;
    r.denominator = a.denominator * b.denominator;
    return r;
  }
  static Value product(const Value& a, const Value& b) {
    return {.exact = true, .numerator = a.numerator * b.numerator, .denominator = a.denominator * b.denominator};
  }
  static Value quotient(const Value& a, const Value& b) {
    const bool a_is_none = a.denominator == 0 && a.numerator == 0, b_is_none = b.denominator == 0 && b.numerator == 0;
    Value r{.exact = true};
    r.denominator = 0;
    if (a_is_none || b_is_none || (a.denominator == 0 && b.denominator == 0)) return r;
    if (b.denominator == 0) return whole(0);
    r.numerator = 1;
    if (b.numerator == 0) return r;
    const BigInt sign = b.numerator < 0 ? -1 : 1;
    return product(a, {.exact = true, .numerator = sign * b.denominator, .denominator = sign * b.numerator});
  }

  Value exact_value(const SlowNode& node) const {
    std::vector<Value> v;
    for (const NodePointer& operand : node.of) v.push_back(value(*operand));
    const Value& a = v[0];
    Value r{.exact = true};
    const auto fraction = [&](const BigInt& n, const BigInt& d) {
      r.numerator = n;
      r.denominator = d;
      return r;
    };
    if (node.op == "negate") return fraction(-a.numerator, a.denominator);
    if (node.op == "abs") return fraction(abs(a.numerator), a.denominator);
    if (node.op == "^") {
      const auto n = static_cast<unsigned>(std::stoul(whole_exponent(*node.of[1])->text));
      const Value raised = n == 0 ? whole(1) : fraction(pow(a.numerator, n), pow(a.denominator, n));
      return node.of[1]->op == "negate" ? quotient(whole(1), raised) : raised;
    }
    if (node.op == "?") return a.numerator != 0 ? v[1] : v[2];
    if (node.op == "min" || node.op == "max") {
      Value best = a;
      for (const Value& other : v)
        if (node.op == "min" ? other.numerator < best.numerator : other.numerator > best.numerator) best = other;
      return best;
    }
    const Value& b = v[1];
    if (node.op == "+") return sum(a, b);
    if (node.op == "-") return sum(a, {.exact = true, .numerator = -b.numerator, .denominator = b.denominator});
    if (node.op == "*") return product(a, b);
    if (node.op == "/") return quotient(a, b);
    return whole(compared(node.op, a.numerator, b.numerator) ? 1 : 0);
  }

  template <class T>
  static bool compared(const std::string& op, const T& a, const T& b) {
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    return op == "==" ? a == b : a != b;
  }

  double real_value(const SlowNode& node) const {
    std::vector<double> v;
    for (const NodePointer& operand : node.of) v.push_back(as_double(value(*operand)));
    const double a = v[0], b = v.size() > 1 ? v[1] : 0;
    if (node.op == "negate") return -a;
    if (node.op == "+") return a + b;
    if (node.op == "-") return a - b;
    if (node.op == "*") return a * b;
    if (node.op == "/") return b == 0 && !std::isnan(a) ? kInfinity : a / b;
    if (node.op == "abs") return std::fabs(a);
    if (node.op == "sqrt") return std::isfinite(a) && a > 0 ? static_cast<double>(sqrt(Long(a))) : std::sqrt(a);
    if (node.op == "log") return std::isfinite(a) && a > 0 ? static_cast<double>(log(Long(a))) : std::log(a);
    if (node.op == "exp") return std::fabs(a) < 700 ? static_cast<double>(exp(Long(a))) : std::exp(a);
    if (node.op == "^") {
      if (std::isnan(b)) return b;
      if (a == 0 && b < 0) return kInfinity;
      const bool plain = std::isfinite(a) && a > 0 && std::isfinite(b) && std::fabs(b * std::log(a)) < 700;
      return plain ? static_cast<double>(pow(Long(a), Long(b))) : std::pow(a, b);
    }
    if (node.op == "?") return std::isnan(a) ? a : a != 0 ? b : v[2];
    if (node.op == "min" || node.op == "max") {
      double best = a;
      for (double other : v) {
        if (std::isnan(other)) return other;
        if (node.op == "min" ? other < best : other > best) best = other;
      }
      return best;
    }
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
    return compared(node.op, a, b) ? 1 : 0;
  }

  const std::function<BigInt(const std::string&)>& variable_;
  Comparison comparison_;
};

}  // namespace

SlowExpression::SlowExpression(const std::string& text) : root_(Parser(text).whole()) {}

SlowScore SlowExpression::score(const std::function<BigInt(const std::string&)>& variable,
                                Comparison comparison) const {
  const Evaluator evaluator(variable, comparison);
  const Value value = evaluator.value(*root_);
  if (evaluator.is_whole_score(*root_)) return value.numerator;
  if (!value.exact || comparison != Comparison::exact) return evaluator.as_double(value);
  return SlowFraction{value.numerator, value.denominator};
}

double rounded_quotient(const BigInt& a, const BigInt& b) {
  if (b <= 0) return kInfinity;
  if (a == 0) return 0;
  if (a < 0) return -rounded_quotient(BigInt(-a), b);
  // Scale until the whole quotient has 54 or 55 bits; what is kept of it are 53.
  const int shift = 54 - static_cast<int>(msb(a)) + static_cast<int>(msb(b));
  const BigInt dividend = shift > 0 ? BigInt(a << shift) : a;
  const BigInt divisor = shift < 0 ? BigInt(b << -shift) : b;
  BigInt whole = dividend / divisor;
  BigInt rest = dividend % divisor;
  int exponent = -shift;
  BigInt unit = 1;  // of the last place that is kept
  while ((whole / unit) >= (BigInt(1) << 53)) {
    unit *= 2;
    ++exponent;
  }
  BigInt kept = whole / unit;
  const BigInt twice_dropped = 2 * ((whole - kept * unit) * divisor + rest);
  const BigInt half = unit * divisor;
  if (twice_dropped > half || (twice_dropped == half && kept % 2 == 1)) ++kept;
  return std::ldexp(static_cast<double>(kept), exponent);
}

SlowScore slow_quotient(const BigInt& a, const BigInt& b, Comparison comparison) {
  if (comparison == Comparison::exact) return SlowFraction{b <= 0 ? BigInt(1) : a, b <= 0 ? BigInt(0) : b};
  if (comparison == Comparison::naive && b > 0) return rounded_quotient(a, 1) / rounded_quotient(b, 1);
  return rounded_quotient(a, b);
}

SlowFraction fraction_of(double value) {
  int exponent = 0;
  SlowFraction f{BigInt(static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53))), 1};
  exponent -= 53;
  while (exponent < 0 && f.numerator != 0 && f.numerator % 2 == 0) {
    f.numerator /= 2;
    ++exponent;
  }
  if (f.numerator == 0) return f;
  (exponent < 0 ? f.denominator : f.numerator) <<= std::abs(exponent);
  return f;
}

int order_of(const SlowScore& a, const SlowScore& b) {
  const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (const auto* x = std::get_if<BigInt>(&a)) return order(*x, std::get<BigInt>(b));
  if (const auto* x = std::get_if<double>(&a)) return order(*x, std::get<double>(b));
  const auto &x = std::get<SlowFraction>(a), &y = std::get<SlowFraction>(b);
  const auto infinity = [&](const SlowFraction& f) { return f.denominator == 0 ? order(f.numerator, BigInt(0)) : 0; };
  if (x.denominator == 0 || y.denominator == 0) return order(infinity(x), infinity(y));
  return order(BigInt(x.numerator * y.denominator), BigInt(y.numerator * x.denominator));
}

bool is_zero(const SlowScore& score) {
  if (const auto* f = std::get_if<SlowFraction>(&score)) return f->numerator == 0 && f->denominator != 0;
  if (const auto* whole = std::get_if<BigInt>(&score)) return *whole == 0;
  return std::get<double>(score) == 0;
}

bool is_not_a_number(const SlowScore& score) {
  if (const auto* f = std::get_if<SlowFraction>(&score)) return f->denominator == 0 && f->numerator == 0;
  const auto* real = std::get_if<double>(&score);
  return real != nullptr && std::isnan(*real);
}

}  // namespace pothole
