#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/source/names.h"
#include "croq/source/pin_config.h"
#include "croq/source/syntax.h"

/// What a call of triton.autotune says, as far as pinning needs it.
namespace croq::source {

/// Of pre_hook in Config(kwargs, num_warps, num_stages, num_ctas, maxnreg, pre_hook, ir_override).
inline constexpr std::size_t kPreHookPosition = 5;

/// A call's argument that a parameter gets: by position or by keyword. Null where it gets none.
const Node* ArgumentOf(const Node& call, std::string_view parameter, std::size_t position);

/// Follows names to the only expression that they stand for; the expression itself otherwise.
const Node& Followed(const Names& names, const Node& expression);

/// Whether an expression can only mean triton's `what` ("autotune", "heuristics", "jit", "Config"),
/// in whichever module of triton it is taken from, or through a package that hands triton on.
bool IsTriton(const Names& names, const Node& expression, std::string_view what);
/// Whether it is one of the things that an expression may mean.
bool MayBeTriton(const Names& names, const Node& expression, std::string_view what);

/// A literal as Python text; names of constants are followed. Nothing where it is computed.
std::optional<std::string> LiteralText(const SyntaxTree& tree, const Names& names,
                                       const Node& value);

/// `triton.autotune(...)` that an expression stands for: the call itself, or a variable that holds
/// it. Null where it is no such thing.
const Node* AutotuneCall(const Names& names, const Node& expression);

/// The triton.Config calls of a list that can be read without running anything, in order; nothing
/// where the list is computed (comprehension, helper, condition, later appends).
std::optional<std::vector<const Node*>> LiteralConfigs(const SyntaxTree& tree, const Names& names,
                                                       const Node& list);

/// The configuration that a triton.Config call holds. Usage error with the place where a value is
/// no literal, or a keyword can't be pinned.
Result<PinConfig> ReadConfig(const SyntaxTree& tree, const Names& names, const Node& call);

/// The texts of a literal list or tuple of strings, names followed. Nothing where it is computed.
std::optional<std::vector<std::string>> StringsOf(const Names& names, const Node& list);

}  // namespace croq::source
