#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "croq/source/static_values.h"

/// Inside the module: Python's operators on literals, where they are plain.
namespace croq::source {

std::optional<Value> ConstantValue(const Node& node);
bool Truth(const Value& value);
std::optional<Value> ApplyUnary(std::string_view op, const Value& operand);
/// Whole numbers: results beyond 62 bits are none. Lists: + and *.
std::optional<Value> ApplyBinary(std::string_view op, const Value& left, const Value& right);
std::optional<Value> ApplyCompare(std::string_view op, const Value& left, const Value& right);
std::optional<Value> ItemOf(const Value& list, const Literal& index);
/// range, len, min, max, int, list, tuple, zip, triton.cdiv, triton.next_power_of_2.
std::optional<Value> ApplyBuiltin(std::string_view name, const std::vector<Value>& arguments);

/// A comprehension of more steps than this is not followed.
inline constexpr int kMaxStepsOfLists = 60'000;

}  // namespace croq::source
