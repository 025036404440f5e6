#pragma once

#include <optional>
#include <string>
#include <vector>

#include "croq/source/names.h"
#include "croq/source/syntax.h"

/// Every place of a file where triton.autotune is put around a kernel.
namespace croq::source {

/// One autotuner: a decorator of a function, or a call `triton.autotune(...)(kernel)`.
struct Autotuned {
  std::string name;  ///< the variable or function; for a call in an expression, the kernel's name
  std::string qualified;            ///< Class.name, outer.<locals>.name
  const Node* definition = nullptr; ///< the FunctionDef that is decorated; null for a call
  const Node* applied = nullptr;    ///< `triton.autotune(...)(kernel)`; null for a decorator
  const Node* decorator = nullptr;  ///< what applies it: `triton.autotune(...)`, or a variable
  const Node* settings = nullptr;   ///< the call of triton.autotune
  const Node* kernel = nullptr;     ///< the kernel's FunctionDef; null where it can't be found
  /// The kernel's parameters in order; nothing where they can't be read.
  std::optional<std::vector<std::string>> parameters;
  std::vector<const Node*> above;   ///< decorators outside of the autotuner, outermost first
  const Node* inner = nullptr;      ///< another autotuner inside of this one
  bool anonymous = false;           ///< a call whose value no plain assignment gives a name to

  /// Where a person looks for it.
  const Node& place() const { return *decorator; }
};

/// In the order of the file.
std::vector<Autotuned> FindAutotuned(const SyntaxTree& tree, const Names& names);

/// Mentions of triton.autotune or its class, imports aside: also those in spellings that
/// FindAutotuned does not take apart (partial, wrappers, conditional decorators).
std::vector<const Node*> AutotuneMentions(const SyntaxTree& tree, const Names& names);

/// A decorator by which another function of the file puts autotune around a kernel: the mention
/// inside of that function. Null where it does no such thing.
const Node* AutotuneWithin(const Names& names, const Node& expression);

}  // namespace croq::source
