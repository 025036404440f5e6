#include "croq/source/static_operators.h"

#include <algorithm>
#include <cmath>

namespace croq::source {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;
constexpr std::int64_t kLongestRange = 5'000;

std::optional<Value> Of(Literal literal) {
  return Value{std::move(literal), false, {}};
}

std::optional<Value> OfDouble(long double value) {
  if (std::fabs(value) >= static_cast<long double>(kLargest))
    return std::nullopt;
  return Of(static_cast<std::int64_t>(value));
}

/// A bool counts as a number, as in Python.
std::optional<std::int64_t> AsInt(const Value& value) {
  if (value.is_list)
    return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&value.literal))
    return *number;
  if (const auto* flag = std::get_if<bool>(&value.literal))
    return *flag ? 1 : 0;
  return std::nullopt;
}

std::optional<double> AsReal(const Value& value) {
  if (const auto whole = AsInt(value))
    return static_cast<double>(*whole);
  const auto* real = value.is_list ? nullptr : std::get_if<double>(&value.literal);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::optional<Value> BinaryOfInts(std::string_view op, std::int64_t a, std::int64_t b) {
  const auto wide = [](std::int64_t x) { return static_cast<long double>(x); };
  if (op == "Add")
    return OfDouble(wide(a) + wide(b));
  if (op == "Sub")
    return OfDouble(wide(a) - wide(b));
  if (op == "Mult")
    return std::fabs(wide(a) * wide(b)) < wide(kLargest) ? Of(a * b) : std::nullopt;
  if ((op == "FloorDiv" || op == "Mod") && b != 0) {
    const std::int64_t quotient = FloorDivide(a, b);
    return Of(op == "Mod" ? a - quotient * b : quotient);
  }
  if (op == "Div" && b != 0)
    return Of(static_cast<double>(a) / static_cast<double>(b));
  if (op == "Pow" && b >= 0 && b < 62) {
    const long double power = std::pow(wide(a), wide(b));
    return OfDouble(power);
  }
  if (op == "LShift" && a >= 0 && b >= 0 && b < 62)
    return OfDouble(std::ldexp(wide(a), static_cast<int>(b)));
  if (op == "RShift" && a >= 0 && b >= 0 && b < 62)
    return Of(a >> b);
  return std::nullopt;
}

/// All of them as whole numbers, or nothing.
std::optional<std::vector<std::int64_t>> AsInts(const std::vector<Value>& values) {
  std::vector<std::int64_t> numbers;
  for (const Value& value : values) {
    const auto number = AsInt(value);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<Value> Range(const std::vector<Value>& arguments) {
  const auto whole = AsInts(arguments);
  if (!whole || whole->empty() || whole->size() > 3)
    return std::nullopt;
  const std::vector<std::int64_t>& numbers = *whole;
  const std::int64_t start = numbers.size() > 1 ? numbers[0] : 0;
  const std::int64_t stop = numbers.size() > 1 ? numbers[1] : numbers[0];
  const std::int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0)
    return std::nullopt;
  Value list{{}, true, {}};
  for (std::int64_t at = start; step > 0 ? at < stop : at > stop; at += step) {
    if (static_cast<std::int64_t>(list.items.size()) >= kLongestRange)
      return std::nullopt;
    list.items.emplace_back().literal = at;
  }
  return list;
}

std::optional<Value> Zip(const std::vector<Value>& arguments) {
  std::size_t shortest = arguments.empty() ? 0 : SIZE_MAX;
  for (const Value& argument : arguments) {
    if (!argument.is_list)
      return std::nullopt;
    shortest = std::min(shortest, argument.items.size());
  }
  Value list{{}, true, {}};
  for (std::size_t i = 0; i < shortest; ++i) {
    Value row{{}, true, {}};
    for (const Value& argument : arguments) row.items.push_back(argument.items[i]);
    list.items.push_back(std::move(row));
  }
  return list;
}

std::optional<Value> Extreme(const std::vector<Value>& arguments, bool largest) {
  const auto& items =
      arguments.size() == 1 && arguments[0].is_list ? arguments[0].items : arguments;
  std::optional<std::int64_t> best;
  for (const Value& item : items) {
    const auto number = AsInt(item);
    if (!number)
      return std::nullopt;
    best = !best ? *number : largest ? std::max(*best, *number) : std::min(*best, *number);
  }
  return best ? Of(*best) : std::nullopt;
}

}  // namespace

std::optional<Value> ConstantValue(const Node& node) {
  switch (node.constant) {
    case ConstantType::kNone:
      return Of(std::monostate());
    case ConstantType::kBool:
      return Of(node.integer != 0);
    case ConstantType::kInt:
      return Of(node.integer);
    case ConstantType::kFloat:
      return Of(node.real);
    case ConstantType::kString:
      return Of(std::string(node.text));
    default:
      return std::nullopt;
  }
}

bool Truth(const Value& value) {
  if (value.is_list)
    return !value.items.empty();
  if (const auto* text = std::get_if<std::string>(&value.literal))
    return !text->empty();
  return AsReal(value).value_or(0) != 0;
}

std::optional<Value> ApplyUnary(std::string_view op, const Value& operand) {
  if (op == "Not")
    return Of(!Truth(operand));
  if (op != "USub")
    return op == "UAdd" ? std::optional(operand) : std::nullopt;
  if (const auto number = AsInt(operand))
    return Of(-*number);
  const auto real = AsReal(operand);
  return real ? Of(-*real) : std::nullopt;
}

std::optional<Value> ApplyBinary(std::string_view op, const Value& left, const Value& right) {
  const auto a = AsInt(left);
  const auto b = AsInt(right);
  if (a && b)
    return BinaryOfInts(op, *a, *b);
  if (left.is_list && right.is_list && op == "Add") {
    Value sum = left;
    sum.items.insert(sum.items.end(), right.items.begin(), right.items.end());
    return sum;
  }
  const auto x = AsReal(left);
  const auto y = AsReal(right);
  if (!x || !y)
    return std::nullopt;
  if (op == "Add")
    return Of(*x + *y);
  if (op == "Sub")
    return Of(*x - *y);
  if (op == "Mult")
    return Of(*x * *y);
  return op == "Div" && *y != 0 ? Of(*x / *y) : std::nullopt;
}

std::optional<Value> ApplyCompare(std::string_view op, const Value& left, const Value& right) {
  if (op == "In" || op == "NotIn") {
    if (!right.is_list || left.is_list)
      return std::nullopt;
    const bool in = std::any_of(right.items.begin(), right.items.end(), [&](const Value& item) {
      return !item.is_list && item.literal == left.literal;
    });
    return Of(in == (op == "In"));
  }
  const auto x = AsReal(left);
  const auto y = AsReal(right);
  if (x && y) {
    if (op == "Lt")
      return Of(*x < *y);
    if (op == "LtE")
      return Of(*x <= *y);
    if (op == "Gt")
      return Of(*x > *y);
    if (op == "GtE")
      return Of(*x >= *y);
  }
  const bool comparable = !left.is_list && !right.is_list;
  const bool equal = comparable && (x && y ? *x == *y : left.literal == right.literal);
  if (comparable && (op == "Eq" || op == "Is"))
    return Of(equal);
  return comparable && (op == "NotEq" || op == "IsNot") ? Of(!equal) : std::nullopt;
}

std::optional<Value> ItemOf(const Value& list, const Literal& index) {
  const auto* number = std::get_if<std::int64_t>(&index);
  if (!list.is_list || number == nullptr)
    return std::nullopt;
  const auto size = static_cast<std::int64_t>(list.items.size());
  const std::int64_t at = *number < 0 ? *number + size : *number;
  if (at < 0 || at >= size)
    return std::nullopt;
  return list.items[static_cast<std::size_t>(at)];
}

std::optional<Value> ApplyBuiltin(std::string_view name, const std::vector<Value>& arguments) {
  if (name == "builtins.range")
    return Range(arguments);
  if (name == "builtins.zip")
    return Zip(arguments);
  if (name == "builtins.min" || name == "builtins.max")
    return Extreme(arguments, name == "builtins.max");
  if (arguments.size() == 1 && arguments[0].is_list) {
    if (name == "builtins.list" || name == "builtins.tuple")
      return arguments[0];
    if (name == "builtins.len")
      return Of(static_cast<std::int64_t>(arguments[0].items.size()));
    return std::nullopt;
  }
  const auto whole = AsInts(arguments);
  if (!whole)
    return std::nullopt;
  const std::vector<std::int64_t>& numbers = *whole;
  if (name == "builtins.int" && numbers.size() == 1)
    return Of(numbers[0]);
  if (name == "triton.cdiv" && numbers.size() == 2 && numbers[1] > 0)
    return Of(-FloorDivide(-numbers[0], numbers[1]));
  if (name == "triton.next_power_of_2" && numbers.size() == 1 && numbers[0] < kLargest / 2) {
    std::int64_t power = 1;
    while (power < numbers[0]) power *= 2;
    return Of(power);
  }
  return std::nullopt;
}

}  // namespace croq::source
