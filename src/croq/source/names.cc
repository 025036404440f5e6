#include "croq/source/names.h"

#include "croq/source/resolve.h"
#include "croq/source/scopes.h"

namespace croq::source {

struct Names::State {
  explicit State(const Node& module) : scopes(module) {}
  Scopes scopes;
  Resolver resolver{scopes};
  Callees callees{scopes, resolver};
};

Names::Names(const SyntaxTree& tree) : state_(std::make_unique<State>(tree.root())) {}
Names::Names(Names&&) noexcept = default;
Names& Names::operator=(Names&&) noexcept = default;
Names::~Names() = default;

std::optional<std::string> Names::Resolve(const Node& expression) const {
  Meaning meaning = state_->resolver.Of(expression);
  if (meaning.unknown || meaning.names.size() != 1)
    return std::nullopt;
  return std::move(meaning.names.front());
}

std::vector<std::string> Names::ResolveAll(const Node& expression) const {
  return state_->resolver.Of(expression).names;
}

std::vector<const Binding*> Names::BindingsOf(const Node& name) const {
  return state_->scopes.Find(name.text, name);
}

std::vector<const Binding*> Names::BindingsIn(const Node& scope) const {
  return state_->scopes.In(scope);
}

const Node& Names::ScopeOf(const Node& node) const {
  return state_->scopes.ScopeOf(node);
}

std::vector<const Node*> Names::FunctionsCalled(const Node& expression) const {
  return state_->callees.Of(expression);
}

}  // namespace croq::source
