#pragma once

#include <string>
#include <string_view>

#include "croq/source/names.h"

/// Inside the module: what of Triton an expression names. Packages that hand Triton on
/// (vllm.triton_utils.tl.load, ..utils.triton.jit) are looked through.
namespace croq::source {

/// "vllm.triton_utils.triton.jit" and "triton.runtime.jit.jit" stay apart from torch.jit: the name
/// from its component `triton` on, `tl` read as triton.language; any other name as it is.
std::string CanonicalName(std::string name);

/// What the expression may be, canonical: the one of several that is Triton's, else the first;
/// empty where nothing is known.
std::string TritonName(const Names& names, const Node& expression);

bool IsJit(std::string_view name);         ///< triton.jit, also Gluon's
bool IsAutotune(std::string_view name);
bool IsHeuristics(std::string_view name);
bool IsConfig(std::string_view name);      ///< triton.Config
/// The name in triton.language ("load"), also of its submodules; empty where it is not of there.
std::string_view LanguageName(std::string_view name);

/// The called thing's TritonName; empty where the node is no call.
std::string CalledName(const Names& names, const Node& node);

/// The argument of a call by position or keyword; null where it is not given.
const Node* Argument(const Node& call, std::size_t position, std::string_view keyword);

}  // namespace croq::source
