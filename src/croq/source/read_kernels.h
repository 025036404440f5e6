#pragma once

#include <map>
#include <set>

#include "croq/source/decorators.h"
#include "croq/source/outline.h"
#include "croq/source/static_values.h"

/// Inside the module: the kernels of a file, and which of them an expression is.
namespace croq::source {

class Kernels {
 public:
  /// Fills outline.kernels, autotunes and heuristics.
  Kernels(const SyntaxTree& tree, const Names& names, const StaticValues& values,
          Outline& outline);

  struct Found {
    std::vector<const KernelInfo*> kernels;
    bool through_fn = false;       ///< kernel.fn: past the outermost layer
    bool through_wrapper = false;  ///< wrap(kernel), kernel[grid] held in a variable
  };
  /// Which kernels an expression may be.
  Found Of(const Node& expression) const;
  bool IsKernelBody(const Node& function) const { return bodies_.contains(&function); }
  /// The innermost function around a node that is a kernel's; null where there is none.
  const Node* BodyAround(const Node& node) const;

 private:
  struct Made {
    const Node* definition = nullptr;
    std::vector<Layer> layers;  ///< outermost first
  };
  void AddDecorated(const Node& function);
  void AddApplication(const Node& call);
  const Node* Replaced(const Node& application) const;
  void AddKernel(const Node& made, std::string name, std::string qualified, Made what);
  /// The functions that an application's argument stands for, with what is around them already.
  void Unwrap(const Node& node, int depth, std::vector<Made>& found) const;
  std::vector<Layer> LayersOfDecorators(const Node& function) const;
  void Collect(const Node& node, int depth, Found& found) const;
  void CollectName(const Node& node, int depth, Found& found) const;
  void CollectAttribute(const Node& node, int depth, Found& found) const;
  void CollectItem(const Node& node, int depth, Found& found) const;
  const AutotuneInfo* AutotuneOf(const Node& call);
  const HeuristicsInfo* HeuristicsOf(const Node& call);

  const SyntaxTree& tree_;
  const Names& names_;
  const StaticValues& values_;
  Outline& outline_;
  Decorators decorators_;
  std::multimap<const Node*, const KernelInfo*> made_;  ///< by the node that made them
  std::set<const Node*> bodies_;
  std::set<const Node*> replaced_;  ///< of what Replaced gives
  std::map<const Node*, const AutotuneInfo*> autotunes_;
  std::map<const Node*, const HeuristicsInfo*> heuristics_;
};

}  // namespace croq::source
