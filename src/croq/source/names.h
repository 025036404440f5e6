#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/source/syntax.h"

/// What names mean in a file: imports and plain aliases are followed before any rule looks at them.
namespace croq::source {

/// How one name is bound, once: an import, an assignment, a definition, a parameter, a loop...
struct Binding {
  std::string_view name;
  const Node* node = nullptr;    ///< the alias, target Name, FunctionDef, ClassDef, arg, ...
  const Node* value = nullptr;   ///< the expression, where it is a plain `name = expression`
  const Node* scope = nullptr;   ///< Module, FunctionDef, Lambda, ClassDef or comprehension
};

class Names {
 public:
  explicit Names(const SyntaxTree& tree);
  Names(Names&&) noexcept;
  Names& operator=(Names&&) noexcept;
  ~Names();

  /// The full dotted name of a Name or Attribute chain with aliases followed: `tl.dot` gives
  /// "triton.language.dot", after `from torch import mm as f` `f` gives "torch.mm", after
  /// `t = torch` `t.mm` gives "torch.mm"; `(x := torch).mm` too. A name that the file defines
  /// itself gives ".name" with a leading dot (".kernel_fn"), a builtin "builtins.len", a name from
  /// another module of the file's own package "..module.name" (two dots however many led); a
  /// parameter, a loop variable or anything computed gives nothing. Where several bindings disagree
  /// it gives nothing, except that `None` counts for nothing (`try: import x` / `except: x = None`).
  std::optional<std::string> Resolve(const Node& expression) const;
  /// All that the expression may be, where Resolve wants one answer: every binding, both branches
  /// of conditionals. What has no name adds nothing; sorted, each once. Where a file goes beyond
  /// all reason (64 meanings, 300 aliases in a chain), "?" stands among them.
  std::vector<std::string> ResolveAll(const Node& expression) const;
  /// Every binding that a Name may refer to, in Python's scope rules (conditional definitions: all
  /// of them).
  std::vector<const Binding*> BindingsOf(const Node& name) const;
  /// All bindings made directly in a scope.
  std::vector<const Binding*> BindingsIn(const Node& scope) const;
  /// The scope that a node stands in (a decorator or default argument: the scope outside).
  const Node& ScopeOf(const Node& node) const;
  /// The function definitions (also lambdas) that calling this expression, or a subscript of it,
  /// may run: through plain aliases, both branches of conditionals, the items of a literal table,
  /// what a function of the file returns, the arguments of a call to anything else (partial, jit,
  /// a wrapper), a class's __init__ and __new__. `x.name` of an unknown x: every method so named.
  std::vector<const Node*> FunctionsCalled(const Node& expression) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace croq::source
