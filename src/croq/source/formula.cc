#include "croq/source/formula.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace croq::source {
namespace {

constexpr int kDeepest = 64;

std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

bool IsZero(const FormulaValue& value) { return RealOf(value) == 0; }

/// Whole where the result is and fits.
FormulaValue Rounded(double real) {
  constexpr double kLargest = 9.0e15;  // every whole number up to here is exact in a double
  if (std::fabs(real) < kLargest) return static_cast<std::int64_t>(real);
  return real;
}

template <typename Checked, typename Real>
FormulaValue Combine(const FormulaValue& a, const FormulaValue& b, Checked checked, Real real) {
  const auto* left = std::get_if<std::int64_t>(&a);
  const auto* right = std::get_if<std::int64_t>(&b);
  std::int64_t whole = 0;
  if (left != nullptr && right != nullptr && !checked(*left, *right, &whole)) return whole;
  return real(RealOf(a), RealOf(b));
}

FormulaValue Power(const FormulaValue& base, const FormulaValue& exponent) {
  const auto* left = std::get_if<std::int64_t>(&base);
  const auto* right = std::get_if<std::int64_t>(&exponent);
  const double real = std::pow(RealOf(base), RealOf(exponent));
  if (left != nullptr && right != nullptr && *right >= 0) return Rounded(real);
  return real;
}

/// Recursive descent over the text; precedence climbs from sums to powers.
class Reader {
 public:
  Reader(std::string_view text, std::span<const Dimension> dimensions)
      : text_(text), dimensions_(dimensions) {}

  Result<FormulaValue> Read() {
    CROQ_ASSIGN(const FormulaValue value, Sum());
    if (Peek() != '\0') return Wrong(fmt::format("'{}' is not expected here", Peek()));
    if (!std::isfinite(RealOf(value))) return Wrong("its value is not finite");
    return value;
  }

 private:
  tl::unexpected<Error> Wrong(const std::string& what) const {
    return UsageFailure(fmt::format("formula '{}', column {}: {}", text_, at_ + 1, what));
  }

  char Peek() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Take(std::string_view token) {
    Peek();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  Result<FormulaValue> Sum() {
    if (++depth_ > kDeepest) return Wrong("it is nested too deep");
    CROQ_ASSIGN(FormulaValue value, Product());
    while (true) {
      if (Take("+")) {
        CROQ_ASSIGN(const FormulaValue right, Product());
        value = Combine(value, right,
                        [](auto a, auto b, auto* out) { return __builtin_add_overflow(a, b, out); },
                        [](double a, double b) { return a + b; });
      } else if (Take("-")) {
        CROQ_ASSIGN(const FormulaValue right, Product());
        value = Combine(value, right,
                        [](auto a, auto b, auto* out) { return __builtin_sub_overflow(a, b, out); },
                        [](double a, double b) { return a - b; });
      } else {
        --depth_;
        return value;
      }
    }
  }

  Result<FormulaValue> Product() {
    CROQ_ASSIGN(FormulaValue value, Unary());
    while (true) {
      if (Peek() == '*' && !text_.substr(at_).starts_with("**")) {
        Take("*");
        CROQ_ASSIGN(const FormulaValue right, Unary());
        value = Combine(value, right,
                        [](auto a, auto b, auto* out) { return __builtin_mul_overflow(a, b, out); },
                        [](double a, double b) { return a * b; });
      } else if (Take("//")) {
        CROQ_ASSIGN(const FormulaValue right, Divisor());
        value = Floored(value, right);
      } else if (Take("/")) {
        CROQ_ASSIGN(const FormulaValue right, Divisor());
        value = RealOf(value) / RealOf(right);
      } else if (Take("%")) {
        CROQ_ASSIGN(const FormulaValue right, Divisor());
        value = Modulo(value, right);
      } else {
        return value;
      }
    }
  }

  Result<FormulaValue> Divisor() {
    CROQ_ASSIGN(const FormulaValue value, Unary());
    if (IsZero(value)) return Wrong("it divides by zero");
    return value;
  }

  static FormulaValue Floored(const FormulaValue& a, const FormulaValue& b) {
    return Combine(a, b,
                   [](std::int64_t x, std::int64_t y, std::int64_t* out) {
                     if (y == -1) return __builtin_sub_overflow(std::int64_t{0}, x, out);
                     *out = FloorDivide(x, y);
                     return false;
                   },
                   [](double x, double y) { return std::floor(x / y); });
  }

  static FormulaValue Modulo(const FormulaValue& a, const FormulaValue& b) {
    return Combine(a, b,
                   [](std::int64_t x, std::int64_t y, std::int64_t* out) {
                     *out = y == -1 ? 0 : x - FloorDivide(x, y) * y;
                     return false;
                   },
                   [](double x, double y) { return x - std::floor(x / y) * y; });
  }

  Result<FormulaValue> Unary() {
    if (++depth_ > kDeepest) return Wrong("it is nested too deep");
    Result<FormulaValue> value = Take("-") ? Negated() : Take("+") ? Unary() : PowerTerm();
    --depth_;
    return value;
  }

  Result<FormulaValue> Negated() {
    CROQ_ASSIGN(const FormulaValue value, Unary());
    return Combine(std::int64_t{0}, value,
                   [](auto a, auto b, auto* out) { return __builtin_sub_overflow(a, b, out); },
                   [](double a, double b) { return a - b; });
  }

  Result<FormulaValue> PowerTerm() {
    CROQ_ASSIGN(const FormulaValue base, Atom());
    if (!Take("**")) return base;
    CROQ_ASSIGN(const FormulaValue exponent, Unary());
    return Power(base, exponent);
  }

  Result<FormulaValue> Atom() {
    const char next = Peek();
    if (Take("(")) {
      CROQ_ASSIGN(const FormulaValue value, Sum());
      if (!Take(")")) return Wrong("a ')' is missing");
      return value;
    }
    if ((next >= '0' && next <= '9') || next == '.') return Number();
    const std::string_view name = Name();
    if (name.empty()) {
      return Wrong(next == '\0' ? std::string("it ends where a value is expected")
                                : fmt::format("'{}' is not expected here", next));
    }
    if (Peek() == '(') return Call(name);
    for (const Dimension& dimension : dimensions_) {
      if (dimension.name == name) return dimension.value;
    }
    at_ = static_cast<std::size_t>(name.data() - text_.data());
    return Wrong(fmt::format("'{}' is no dimension (there are {})", name, Known()));
  }

  std::string Known() const {
    std::string list;
    for (const Dimension& dimension : dimensions_) {
      list += (list.empty() ? "" : ", ") + dimension.name;
    }
    return list.empty() ? "none" : list;
  }

  std::string_view Name() {
    Peek();
    const std::size_t begin = at_;
    const auto letter = [](char c) {
      return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    while (at_ < text_.size() &&
           (letter(text_[at_]) || (at_ > begin && text_[at_] >= '0' && text_[at_] <= '9'))) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  Result<FormulaValue> Number() {
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    std::string digits;  // Python allows 1_000
    for (const char* c = begin; c < end; ++c) {
      const bool sign = (*c == '+' || *c == '-') && !digits.empty() &&
                        (digits.back() == 'e' || digits.back() == 'E');
      if (*c == '_') { ++at_; continue; }
      if (!((*c >= '0' && *c <= '9') || *c == '.' || *c == 'e' || *c == 'E' || sign)) break;
      digits += *c;
      ++at_;
    }
    const char* last = digits.data() + digits.size();
    std::int64_t whole = 0;
    const auto as_whole = std::from_chars(digits.data(), last, whole);
    if (as_whole.ec == std::errc() && as_whole.ptr == last) return whole;
    double real = 0;
    const auto as_real = std::from_chars(digits.data(), last, real);
    if (as_real.ec == std::errc() && as_real.ptr == last) return real;
    return Wrong(fmt::format("'{}' is no number", digits));
  }

  Result<FormulaValue> Call(std::string_view name) {
    Take("(");
    std::vector<FormulaValue> given;
    while (!Take(")")) {
      if (!given.empty() && !Take(",")) return Wrong("a ')' is missing");
      if (Take(")")) break;
      CROQ_ASSIGN(FormulaValue value, Sum());
      given.push_back(value);
    }
    return Apply(name, given);
  }

  Result<FormulaValue> Apply(std::string_view name, const std::vector<FormulaValue>& given) {
    const std::size_t count = given.size();
    if ((name == "min" || name == "max") && count >= 1) {
      FormulaValue best = given.front();
      for (const FormulaValue& value : given) {
        if (name == "min" ? RealOf(value) < RealOf(best) : RealOf(value) > RealOf(best)) best = value;
      }
      return best;
    }
    if (name == "cdiv" && count == 2) {
      if (IsZero(given[1])) return Wrong("cdiv divides by zero");
      const FormulaValue down = Floored(
          Combine(std::int64_t{0}, given[0],
                  [](auto a, auto b, auto* out) { return __builtin_sub_overflow(a, b, out); },
                  [](double a, double b) { return a - b; }),
          given[1]);
      return std::visit([](auto value) -> FormulaValue { return 0 - value; }, down);
    }
    if ((name == "ceil" || name == "floor") && count == 1) {
      if (std::holds_alternative<std::int64_t>(given[0])) return given[0];
      const double real = RealOf(given[0]);
      return Rounded(name == "ceil" ? std::ceil(real) : std::floor(real));
    }
    if (name == "min" || name == "max" || name == "cdiv" || name == "ceil" || name == "floor") {
      return Wrong(fmt::format("{} does not take {} arguments", name, count));
    }
    return Wrong(fmt::format("there is no function '{}' (there are min, max, cdiv, ceil, floor)",
                             name));
  }

  std::string_view text_;
  std::span<const Dimension> dimensions_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double RealOf(const FormulaValue& value) {
  return std::visit([](auto number) { return static_cast<double>(number); }, value);
}

Result<FormulaValue> Evaluate(std::string_view formula, std::span<const Dimension> dimensions) {
  return Reader(formula, dimensions).Read();
}

}  // namespace croq::source
