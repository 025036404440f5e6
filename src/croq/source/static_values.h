#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/source/names.h"
#include "croq/source/outline.h"

/// Inside the module: values that follow from literals of the file alone. Not Python: only what
/// lists of configurations are written with, and nothing where there is any doubt.
namespace croq::source {

/// A literal or a list or tuple of such values.
struct Value {
  Literal literal;
  bool is_list = false;
  std::vector<Value> items;
};

/// Values of the loop variables around an expression.
using Variables = std::map<std::string, Value, std::less<>>;

class StaticValues {
 public:
  StaticValues(const SyntaxTree& tree, const Names& names);

  std::optional<Value> Evaluate(const Node& node, const Variables& variables = {}) const;
  std::optional<Literal> EvaluateLiteral(const Node& node, const Variables& variables = {}) const;

  /// Calls visit(element, variables) for each element of a list-like expression: displays,
  /// comprehensions, sums, names of lists, conditionals, list(x), helpers that only return a list.
  /// False where something of it could not be followed: elements may be missing then.
  using Visit = std::function<bool(const Node& element, const Variables& variables)>;
  bool ForEach(const Node& list, const Variables& variables, const Visit& visit) const;

  /// The expression that a name stands for, where it is bound once, plainly, and its value is not
  /// changed in place (append, +=); otherwise null. Any other node: itself.
  const Node* Follow(const Node& node) const;

 private:
  std::optional<Value> EvaluateNode(const Node& node, const Variables& variables) const;
  std::optional<Value> EvaluateOperator(const Node& node, const Variables& variables) const;
  std::optional<Value> EvaluateCompare(const Node& node, const Variables& variables) const;
  std::optional<Value> EvaluateCall(const Node& node, const Variables& variables) const;
  std::optional<Value> EvaluateList(const Node& node, const Variables& variables) const;
  std::optional<Value> Product(const Node& call, const Variables& variables) const;
  bool ForEachOfComprehension(const Node& node, std::size_t generator, const Variables& variables,
                              const Visit& visit) const;
  bool ForEachOfCall(const Node& node, const Variables& variables, const Visit& visit) const;
  bool Step() const;

  const Names& names_;
  std::map<std::string_view, bool> changed_in_place_;
  mutable int depth_ = 0;
  mutable int steps_ = 0;
};

/// Sets the variables of a loop target; false where the shapes do not fit.
bool BindTarget(const Node& target, const Value& value, Variables& variables);

}  // namespace croq::source
