#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "croq/base/result.h"
#include "croq/model/shape_key.h"

namespace croq::source {

/// A whole number while the arithmetic stays whole and fits into 64 bits, a real one otherwise.
using FormulaValue = std::variant<std::int64_t, double>;

/// Works out `2*M*N + cdiv(K, 64)`: numbers, the dimensions' names, + - * / // % **, parentheses,
/// min, max, cdiv, ceil and floor, each with Python's meaning and precedence. Usage error that says
/// what is wrong and at which column of the formula.
Result<FormulaValue> Evaluate(std::string_view formula, std::span<const Dimension> dimensions);

double RealOf(const FormulaValue& value);

}  // namespace croq::source
