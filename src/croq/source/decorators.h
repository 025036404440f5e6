#pragma once

#include <map>
#include <vector>

#include "croq/source/outline.h"

/// Inside the module: what a decorator, or a call that stands in for one, puts around a function.
namespace croq::source {

struct Layer {
  DecoratorInfo info;
  const Node* call = nullptr;  ///< kAutotune, kHeuristics: the call that has the arguments
};

class Decorators {
 public:
  Decorators(const SyntaxTree& tree, const Names& names) : tree_(tree), names_(names) {}

  /// What applying `callee` to a function puts around it, outermost first.
  std::vector<Layer> LayersOf(const Node& callee) const;
  /// Whether `node` is a call that applies jit, autotune or heuristics to its first argument:
  /// `triton.jit(f)`, `tuned(f)`, `triton.autotune(...)(f)`; not `triton.autotune(...)` itself.
  bool IsApplication(const Node& node) const;

 private:
  void Add(const Node& callee, int depth, std::vector<Layer>& layers) const;
  bool AddKnown(const Node& node, const Node& callee, std::vector<Layer>& layers) const;
  bool AddLocal(const Node& callee, int depth, std::vector<Layer>& layers) const;
  bool AddReturned(const Node& function, bool makes_decorator, int depth,
                   std::vector<Layer>& layers) const;
  void AddOther(const Node& node, std::vector<Layer>& layers) const;

  const SyntaxTree& tree_;
  const Names& names_;
  mutable std::map<const Node*, std::vector<const Node*>> returned_;
  mutable int steps_ = 0;  ///< over all questions: a file can't keep us
};

bool Has(const std::vector<Layer>& layers, DecoratorKind kind);
/// The values that a def returns, those of functions inside it left out; a lambda's body.
std::vector<const Node*> ReturnedValues(const Node& function);

}  // namespace croq::source
