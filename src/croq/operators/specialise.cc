#include "croq/operators/specialise.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace croq::operators {
namespace {

constexpr std::int64_t kDivisibility = 16;

bool IsDivisible(std::int64_t value) { return value % kDivisibility == 0; }

BoundParameter Constant(std::string name, ConstexprValue value) {
  BoundParameter bound;
  bound.parameter.name = std::move(name);
  bound.parameter.type = "constexpr";
  bound.parameter.value = std::move(value);
  return bound;
}

BoundParameter Scalar(std::string name, std::string type, std::int64_t value) {
  BoundParameter bound;
  bound.parameter.name = std::move(name);
  bound.parameter.type = type;
  bound.parameter.divisible_by_16 = IsDivisible(value);
  ScalarArgument argument;
  argument.type = std::move(type);
  argument.integer = value;
  bound.argument = std::move(argument);
  return bound;
}

}  // namespace

BoundParameter BindPointer(std::string name, std::string_view element, int buffer) {
  BoundParameter bound;
  bound.parameter.name = std::move(name);
  bound.parameter.type = fmt::format("*{}", element);
  bound.parameter.divisible_by_16 = true;
  bound.argument = PointerArgument{buffer, 0};
  return bound;
}

BoundParameter BindInt(std::string name, std::int64_t value) {
  if (value == 1) return BindConstant(std::move(name), value);
  const bool fits = value >= std::numeric_limits<std::int32_t>::min() &&
                    value <= std::numeric_limits<std::int32_t>::max();
  return Scalar(std::move(name), fits ? "i32" : "i64", value);
}

BoundParameter BindInt64(std::string name, std::int64_t value) {
  return Scalar(std::move(name), "i64", value);
}

BoundParameter BindDescriptor(std::string name, std::string_view element, int buffer,
                              std::int64_t rows, std::int64_t columns, std::int64_t block_rows,
                              std::int64_t block_columns) {
  BoundParameter bound;
  bound.parameter.name = std::move(name);
  // Triton's own text: a Python list.
  bound.parameter.type = fmt::format("tensordesc<{}[{}, {}]>", element, block_rows, block_columns);
  DescriptorArgument argument;
  argument.buffer = buffer;
  argument.shape = {rows, columns};
  argument.strides = {columns, 1};
  bound.argument = std::move(argument);
  return bound;
}

BoundParameter BindConstant(std::string name, std::int64_t value) {
  ConstexprValue constant;
  constant.kind = ConstexprValue::Kind::kInt;
  constant.integer = value;
  return Constant(std::move(name), std::move(constant));
}

BoundParameter BindConstant(std::string name, bool value) {
  ConstexprValue constant;
  constant.kind = ConstexprValue::Kind::kBool;
  constant.integer = value ? 1 : 0;
  return Constant(std::move(name), std::move(constant));
}

BoundParameter BindConstant(std::string name, std::string value) {
  ConstexprValue constant;
  constant.kind = ConstexprValue::Kind::kString;
  constant.text = std::move(value);
  return Constant(std::move(name), std::move(constant));
}

}  // namespace croq::operators
