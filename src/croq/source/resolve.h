#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "croq/source/scopes.h"

/// Inside the module: what an expression may be called, and what calling it may run. Both answer in
/// bounded time whatever the file holds: where a bound is met the answer says so in a way that no
/// rule can take for something allowed.
namespace croq::source {

/// What an expression may be.
struct Meaning {
  std::vector<std::string> names;  ///< sorted, each once
  bool unknown = false;            ///< something of it has no name
  bool whole = true;               ///< no alias leads back to one that was being followed
};

class Resolver {
 public:
  /// Stands among the names where a bound was met.
  static constexpr const char* kTooMuch = "?";

  explicit Resolver(const Scopes& scopes) : scopes_(scopes) {}
  Meaning Of(const Node& expression);

 private:
  using Bindings = std::vector<const Binding*>;
  Meaning Evaluate(const Node& node, int depth);
  Meaning OfName(const Node& node, int depth);
  Meaning OfUnbound(const Node& node) const;
  Meaning OfBindings(const Bindings& bindings, int depth);
  Meaning OfBinding(const Binding& binding, int depth);

  const Scopes& scopes_;
  std::unordered_map<const Bindings*, Meaning> kept_;   ///< right for ever
  std::unordered_map<const Bindings*, Meaning> asked_;  ///< of the question at hand
  int steps_ = 0;
};

class Callees {
 public:
  Callees(const Scopes& scopes, Resolver& resolver) : scopes_(scopes), resolver_(resolver) {}
  std::vector<const Node*> Of(const Node& expression);

 private:
  using Functions = std::vector<const Node*>;  ///< each once
  Functions Evaluate(const Node& node, int depth);
  Functions OfChildren(const Node& node, int depth);
  Functions OfAttribute(const Node& node, int depth);
  Functions OfCall(const Node& node, int depth);
  Functions OfMethod(const Node& of_class, std::string_view name, int depth);
  Functions OfBinding(const Binding& binding, int depth);
  void AddReturned(const Node& function, int depth, Functions& to);

  const Scopes& scopes_;
  Resolver& resolver_;
  std::unordered_map<const Node*, Functions> asked_;
  int steps_ = 0;
  bool too_much_ = false;
};

}  // namespace croq::source
