#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/model/config.h"
#include "croq/source/syntax.h"

/// Literals of a file that stand for a lever.
namespace croq::tune {

/// A name of the file with one literal value, wherever it stands.
struct NamedLiteral {
  std::string name;
  LeverValue value;
  std::vector<const source::Node*> places;
};

/// Python text as a lever's value: whole numbers as such, a string that is a name without its quotes,
/// else the text (`True`, `tl.float16`, `1.5`). Nothing where it has a blank, which a configuration
/// can't hold.
std::optional<LeverValue> WordOf(std::string_view python);
/// The way back: `128`, `True`, `"relu"`.
std::string PythonText(const LeverValue& value);

/// WordOf a literal; nothing for what is none.
std::optional<LeverValue> LiteralValue(const source::SyntaxTree& tree, const source::Node& node);

/// Module constants, `BLOCK_M = 128`, `M, N = 1, 2`, `X: tl.constexpr = 4`, `X = tl.constexpr(4)`,
/// that are assigned once in the whole file; and keywords of launches, `kernel[grid](...,
/// num_warps=8)`, that are the same literal at every launch.
std::vector<NamedLiteral> FindNamedLiterals(const source::SyntaxTree& tree);

}  // namespace croq::tune
