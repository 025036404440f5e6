#pragma once

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "croq/source/purity/scene.h"

/// Inside the module: which expressions are tensors, as far as the file says so. Python has no types
/// to ask, so this looks for evidence: how a value is made, what is asked of it (x.shape), what a
/// kernel does with it, what callers pass.
namespace croq::source::purity {

class Tensors {
 public:
  explicit Tensors(const Scene& scene) : scene_(scene) {}

  bool Is(const Node& expression) const;
  /// Whether one is or holds one: `[x, y]`.
  bool IsOrHolds(const Node& expression) const;
  /// Whether a parameter shows itself to be one.
  bool IsParameter(const Node& parameter) const;

 private:
  bool Evaluate(const Node& node) const;
  bool OfName(const Node& node) const;
  bool OfParameter(const Node& parameter) const;
  bool OfCall(const Node& node) const;
  bool IsShown(const Node& parameter) const;
  /// The parameters of a function that its own body treats as tensors.
  const std::unordered_set<std::string_view>& ShownIn(const Node& function) const;
  void AddLaunched(const Node& call, std::unordered_set<std::string_view>& shown) const;
  const std::unordered_set<std::string_view>& PointersOf(const Node& kernel) const;
  bool IsTensorAnnotation(const Node& annotation) const;

  // held.cc
  bool Holds(const Node& node) const;
  bool HeldBy(const Binding& binding) const;
  bool HeldByCall(const Node& call) const;
  bool GivenBy(const Node& call) const;
  bool OfItem(const Node& subscript) const;
  bool IsFilled(const Node& name, const Node& key) const;
  bool IsLaunchTable(const Node& name) const;
  bool IsPointerName(std::string_view name) const;
  bool OfTarget(const Binding& binding) const;
  bool OfIteration(const Node& source, const std::vector<std::size_t>& indices) const;
  bool OfUnpacked(const Node& source, std::size_t index, int depth = 0) const;
  std::vector<const Node*> FunctionsOf(const Node& call) const;
  bool AnyArgument(const Node& call, bool (Tensors::*is)(const Node&) const) const;

  // fields.cc
  bool IsNoneHere(const Node& name) const;
  bool OfField(const Node& attribute) const;
  bool IsGiven(const Node& call, std::string_view field) const;

  bool OfBinding(const Binding& binding) const;
  bool Ask(const void* key, const std::function<bool()>& answer) const;

  const Scene& scene_;
  mutable std::unordered_map<const void*, bool> kept_;   ///< by binding or parameter
  mutable std::unordered_map<const void*, bool> asked_;  ///< of the question at hand
  mutable bool whole_ = true;  ///< nothing has led back to what was being asked
  mutable std::unordered_map<const Node*, std::unordered_set<std::string_view>> shown_;
  mutable std::unordered_map<const Node*, std::unordered_set<std::string_view>> pointers_;
};

/// The leftmost Name of `a + b + c`, through local assignments; null where there is none.
const Node* BaseOfSum(const Names& names, const Node& expression);

}  // namespace croq::source::purity
